import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendStep, fileSteps, relocateStep } from './steps.ts'
import {
  durableDisk,
  faultyDisk,
  pinRoot,
  createFiles,
  type Disk,
  type Fault,
  type FaultyDisk,
  type NewFile,
} from '../../src/disk/index.ts'
import {
  applyPlan,
  recover,
  type ApplyOutcome,
  type Journal,
  type OperationPlan,
  type Recovered,
} from '../../src/journal/index.ts'
import {
  putContent,
  putSessionFact,
  takeWriter,
  type Operation,
  type PlannedStep,
  type Store,
} from '../../src/store/index.ts'
import type { ContentId, ProjectPath, Value } from '../../src/timeline/index.ts'
import { bystanders, type Case } from './cases.ts'
import { readStore } from '../verifier/read-store.ts'
import {
  emptyDirectory,
  gitId,
  identities,
  linesOf,
  writeTree,
  type Tree,
} from '../verifier/tree.ts'
import { world, type World } from './world.ts'

/** A project, its store and a transcript, reset for every run of a case. */
export interface Stage extends Disposable {
  readonly world: World
  /** The disk of the project. */
  readonly disk: Disk
  /** The directory of the transcripts. */
  readonly sessions: string
  readonly transcript: string
  /** A directory that is created and removed with the transcript. */
  readonly more: string
}

export function stage(made: World = world(), disk: Disk = durableDisk): Stage {
  return {
    world: made,
    disk,
    sessions: join(made.path, 'sessions'),
    transcript: join(made.path, 'sessions', 'transcript.jsonl'),
    more: join(made.path, 'sessions', 'more'),
    [Symbol.dispose]: () => made[Symbol.dispose](),
  }
}

/** The world at the start of a case, and what is recorded to judge it. */
export interface Scenery {
  readonly stage: Stage
  readonly case: Case
  readonly untouched: Map<string, string>
  readonly old: Map<string, string>
  /** The newest operation of earlier runs. */
  readonly since: number
}

export function setUp(on: Stage, which: Case): Scenery {
  const { project } = on.world
  emptyDirectory(project)
  emptyDirectory(join(on.world.directory, 'quarantine'))
  writeTree(project, bystanders)
  writeTree(project, which.before)
  mkdirSync(on.sessions, { recursive: true })
  emptyDirectory(on.sessions)
  const { before = '' } = which.transcript ?? {}
  if (before !== null) writeFileSync(on.transcript, before)
  if (which.transcript?.after === null) createFiles(durableDisk, [more(on.more)])
  return {
    since: readStore(on.world.directory, 0).newest,
    stage: on,
    case: which,
    untouched: identities(project, [...linesOf(bystanders).keys()].filter(isLeaf(bystanders))),
    old: identities(project, Object.keys(which.before).filter(comesBack(which.before))),
  }
}

function isLeaf(tree: Tree): (path: string) => boolean {
  return (path) => tree[path] !== undefined && !('directory' in tree[path])
}

/** Off Linux, where link(2) follows symlinks, a symlink comes back as a new one. */
function comesBack(tree: Tree): (path: string) => boolean {
  const isLinux = process.platform === 'linux'
  return (path) => isLeaf(tree)(path) && (isLinux || !('link' in tree[path]!))
}

/** One process lifetime: opens everything, does one thing, and may die of a fault. */
export interface Life<T> {
  readonly result: T | undefined
  readonly error: unknown
  readonly calls: readonly string[]
}

let tags = 0

export async function live<T>(
  { world: { project }, world: w, disk: base }: Stage,
  faults: readonly Fault[],
  act: (journal: Journal) => Promise<T>,
  more: {
    prepare?: (store: Store) => void
    onDeath?: (call: string) => void
    now?: () => number
    base?: Disk
    onTransaction?: () => void
  } = {},
): Promise<Life<T>> {
  const store = w.open()
  more.prepare?.(store)
  const disk = faultyDisk(more.base ?? base, faults, (call) => {
    more.onDeath?.(call)
    store.close()
  })
  const faulty: Store = { ...store, disk, database: counted(store, disk, more.onTransaction) }
  const writer = await takeWriter(store)
  const root = pinRoot(disk, project, { never: [store.identity] })
  try {
    const result = await act({
      store: faulty,
      root,
      writer,
      commit: (operation: Operation) =>
        putSessionFact(faulty, String(operation.id), 'committed', operation.details),
      now: more.now ?? (() => Date.now()),
      newTag: () => `tag${process.pid}x${(tags += 1)}`,
      conversations: fileSteps,
      reserve: 0,
    })
    return { result, error: undefined, calls: disk.calls }
  } catch (error) {
    return { result: undefined, error, calls: disk.calls }
  } finally {
    root.close()
    writer.release()
    store.close()
  }
}

/** Counts transactions as calls, so that a process can also die at one. */
function counted(
  store: Store,
  disk: FaultyDisk,
  onTransaction: () => void = () => {},
): Store['database'] {
  const connection = new Proxy(store.database.connection, {
    get(real, name) {
      if (name === 'exec')
        return (sql: string) => {
          if (sql.startsWith('begin')) {
            disk.step('transaction')
            onTransaction()
          }
          real.exec(sql)
        }
      const value: unknown = Reflect.get(real, name, real)
      return typeof value === 'function' ? (value.bind(real) as unknown) : value
    },
  })
  return { ...store.database, connection }
}

export function applyCase(scenery: Scenery, ...faults: Fault[]): Promise<Life<ApplyOutcome>> {
  return live(scenery.stage, faults, (journal) => applyPlan(journal, planOf(scenery)), {
    prepare: (store) => putContents(store, scenery.case),
  })
}

export function putContents(store: Store, { after }: Case): void {
  for (const entry of Object.values(after))
    if ('file' in entry) putContent(store, Buffer.from(entry.file))
}

export function recoverStage(on: Stage, ...faults: Fault[]): Promise<Life<Recovered[]>> {
  return live(on, faults, recover)
}

/** Built from the two trees without the planner. */
export function planOf({ stage: on, case: which }: Pick<Scenery, 'stage' | 'case'>): OperationPlan {
  const paths = new Set([...Object.keys(which.before), ...Object.keys(which.after)])
  const isFile = (path: string) => [which.before, which.after].some((tree) => isLeaf(tree)(path))
  const plan: OperationPlan = {
    verb: 'undo',
    session: 's',
    details: { case: which.name },
    changes: [...paths]
      .filter((path) => isFile(path) && !which.left?.includes(path))
      .map((path) => ({
        path: path as ProjectPath,
        pre: valueOf(which.before[path]),
        post: valueOf(which.after[path]),
      })),
    directories: { remove: (which.remove ?? []) as ProjectPath[] },
  }
  if (which.transcript === undefined) return plan
  const { before, after } = which.transcript
  if (before === null || after === null) return { ...plan, conversation: sessionsStep(on, which) }
  const { ino, size } = lstatSync(on.transcript, { bigint: true })
  const bytes = Buffer.from(which.transcript.append)
  const lines = { path: on.transcript, inode: ino, size: Number(size), bytes }
  return { ...plan, conversation: appendStep('toy', lines) }
}

/** A transcript and its directory; one must never be visible without the other. */
function sessionsStep(on: Stage, { transcript }: Case): PlannedStep {
  const moves = [on.more, on.transcript].map((to) => ({ from: `${to}.part`, to }))
  const { before, after } = transcript!
  if (before === null)
    return relocateStep('toy', { kind: 'make', moves, expected: null }, (disk) =>
      createFiles(disk, [
        more(moves[0]!.from),
        { path: moves[1]!.from, chunks: () => [Buffer.from(after!)] },
      ]),
    )
  const { ino, size } = lstatSync(on.transcript, { bigint: true })
  return relocateStep('toy', {
    kind: 'remove',
    moves: moves.map(({ from, to }) => ({ from: to, to: from })).toReversed(),
    expected: { inode: ino, size: Number(size) },
  })
}

function more(path: string): NewFile {
  return { path: join(path, 'agent'), chunks: () => [Buffer.from('more\n')] }
}

function valueOf(entry: Tree[string] | undefined): Value {
  if (entry === undefined || 'directory' in entry) return { kind: 'absent' }
  if ('link' in entry) return { kind: 'symlink', target: entry.link }
  return { kind: 'file', content: gitId(entry.file) as ContentId, mode: entry.mode ?? 0o644 }
}
