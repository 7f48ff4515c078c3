import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { resolve } from 'node:path'
import { findProgram, lstatPath } from '#disk'
import { sameValue, type FilePlan, type LeftReport } from '#timeline'
import type { Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'

/** Paths per call, to stay far below the kernel's limit on the command line. */
const BATCH_SIZE = 200
/** Milliseconds. A hanging file system must not block the plan. */
const TIMEOUT = 2000
/** Attributes that users set. The kernel sets others on every file, for example for SELinux. */
const OF_PEOPLE = String.raw`^(user\.|trusted\.|system\.posix_acl|security\.capability)`

interface Known {
  /** The file at that time. Setting an attribute changes its ctime. */
  readonly seen: string | null
  readonly names: readonly string[]
}

/** What the last plan read: planning again under the lock would start the program once more. */
const lastRead = new WeakMap<Project, ReadonlyMap<string, Known>>()

/**
 * The extended attributes and ACLs that a plan drops, because it writes changed files anew. Node
 * cannot read them, so this runs `getfattr`. Without it, none are reported.
 */
export function leftAttributes(
  machine: Machine,
  project: Project,
  files: readonly FilePlan[],
): LeftReport[] {
  const written = files.filter(
    ({ verb, pre, post }) => verb !== 'skip' && pre.kind === 'file' && !sameValue(pre, post),
  )
  if (written.length === 0) return []
  const read = readAll(
    machine,
    project,
    written.map(({ path }) => path),
  )
  return written.flatMap(({ path, post }): LeftReport[] => {
    const { names = [] } = read.get(path) ?? {}
    if (names.length === 0) return []
    const what = `extended attributes (${names.join(', ')})`
    const why =
      post.kind === 'absent'
        ? `its ${what} are lost and are not restored`
        : `it is rewritten without its ${what}`
    return [{ path, kind: 'extended-attributes', why }]
  })
}

function readAll(
  { places }: Machine,
  project: Project,
  paths: readonly string[],
): ReadonlyMap<string, Known> {
  const { path: root } = project
  const known = lastRead.get(project)
  const now = new Map(paths.map((path) => [path, seenAt(resolve(root, path))]))
  const isKnown = ([path, seen]: [string, string | null]): boolean =>
    seen !== null && known?.get(path)?.seen === seen
  if (known !== undefined && [...now].every(isKnown)) return known
  const program = findProgram('getfattr', places.programs, { outside: [root] })
  if (program === null) return new Map()
  const found = new Map<string, string[]>()
  for (let from = 0; from < paths.length; from += BATCH_SIZE) {
    const batch = paths.slice(from, from + BATCH_SIZE)
    const args = ['--absolute-names', '-h', '-m', OF_PEOPLE, '--', ...batch]
    const options = { cwd: root, timeout: TIMEOUT, env: {}, maxBuffer: 2 ** 24 }
    for (const [path, names] of readAttributes(outputOf(program.path, args, options)))
      found.set(path, names)
  }
  const read = new Map(
    [...now].map(([path, seen]) => [path, { seen, names: found.get(path) ?? [] }]),
  )
  lastRead.set(project, read)
  return read
}

function seenAt(path: string): string | null {
  const stat = lstatPath(path)
  return stat === null ? null : `${stat.dev}:${stat.ino}:${stat.ctimeNs}`
}

/** Empty if the program cannot be started: a plan does not depend on it. */
function outputOf(program: string, args: string[], options: SpawnSyncOptions): Buffer {
  try {
    const { stdout } = spawnSync(program, args, options)
    return Buffer.isBuffer(stdout) ? stdout : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Parses `getfattr` output: a header with the file's name, odd bytes as octal, then names. */
export function readAttributes(output: Buffer): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const part of output.toString('latin1').split('\n\n')) {
    const [head = '', ...names] = part.trim().split('\n')
    const path = /^# file: (?<path>.*)$/u.exec(head)?.groups?.['path']
    if (path === undefined || names.length === 0) continue
    const bytes = path.replaceAll(/\\([0-7]{3})/gu, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 8)),
    )
    found.set(Buffer.from(bytes, 'latin1').toString('utf8'), names)
  }
  return found
}
