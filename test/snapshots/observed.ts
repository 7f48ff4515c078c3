/** Shared by this room's tests: a project on a real disk, and two independent snapshot checks. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { decodeRow, durableDisk, nameBytes, pinRoot, type RowEntry } from '#disk'
import type { ProjectPath, Value } from '#timeline'
import { temporary, world } from '../crash/world.ts'
import { isSameLook, leftAloneKind, valueOf } from '../../src/snapshots/entry-value.ts'
import {
  observe,
  openProject,
  type Observation,
  type Project,
} from '../../src/snapshots/observe.ts'

export interface Watched extends Disposable {
  /** The project's directory. */
  readonly path: string
  readonly project: Project
  /** The project as a newly started process sees it. */
  reopen(): Project
}

export function watched(options: { globalExcludes?: string; now?: () => number } = {}): Watched {
  const w = world()
  const root = pinRoot(durableDisk, w.project)
  const open = (): Project => openProject({ store: w.open(), root, ...options })
  return {
    path: w.project,
    project: open(),
    reopen: open,
    [Symbol.dispose]() {
      root.close()
      w[Symbol.dispose]()
    },
  }
}

/** All values of the last observation. */
export function valuesOf({ table }: Project): Map<string, Value> {
  const values = new Map<string, Value>()
  for (const [directory, row] of table!.rows)
    for (const [name, entry] of decodeRow(row).entries)
      if (isCaptured(entry))
        values.set(directory === '' ? name : `${directory}/${name}`, valueOf(entry))
  return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isCaptured(entry: RowEntry): boolean {
  if (entry.kind === 'left-out') return leftAloneKind(valueOf(entry)) === null
  return entry.kind === 'file' || entry.kind === 'symlink'
}

/** The first check: a new project that reads every file. */
export function readFresh(
  path: string,
  {
    globalExcludes = null,
    sticky = [],
  }: { globalExcludes?: string | null; sticky?: Iterable<ProjectPath> } = {},
): Map<string, Value> {
  using fresh = world()
  const root = pinRoot(durableDisk, path)
  try {
    const project = openProject({ store: fresh.open(), root, globalExcludes })
    observe(project, { sticky })
    return valuesOf(project)
  } finally {
    root.close()
  }
}

/** The second check: git itself, with its own index and objects and no configuration. */
export function gitTree(path: string, files: Iterable<string>): string {
  using t = temporary()
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: t.path,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_DIR: join(t.path, 'git'),
    GIT_WORK_TREE: path,
  }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: path, env, encoding: 'utf8' }).trim()
  mkdirSync(join(t.path, 'git'))
  git('init', '--quiet')
  const input = Buffer.concat([...files].map((each) => nameBytes(`${each}\0`)))
  execFileSync('git', ['-c', 'core.autocrlf=false', 'update-index', '--add', '-z', '--stdin'], {
    cwd: path,
    env,
    input,
  })
  return git('write-tree')
}

/** Applies an observation to a model of what is known; returns what does not match. */
export function follow(model: Map<string, Value>, seen: Observation): string[] {
  const problems: string[] = []
  for (const [path, change] of seen.changed) {
    const [before, after] = [change.before, change.after].map(asCaptured) as [Value, Value]
    const was: Value = model.get(path) ?? { kind: 'absent' }
    if (!isSameLook(was, before)) problems.push(`${path} was ${was.kind}, not ${before.kind}`)
    if (after.kind === 'absent') model.delete(path)
    else model.set(path, after)
  }
  for (const [path, value] of seen.entered) {
    if (model.has(path)) problems.push(`${path} entered twice`)
    model.set(path, value)
  }
  return problems
}

/** An ignored directory, or another entry without content, may take the place of a file. */
function asCaptured(value: Value): Value {
  return leftAloneKind(value) === null ? value : { kind: 'absent' }
}

export function sorted(values: ReadonlyMap<string, Value>): [string, Value][] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1))
}

export function paths(...all: string[]): ProjectPath[] {
  return all as ProjectPath[]
}
