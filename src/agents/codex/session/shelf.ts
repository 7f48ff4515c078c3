import { identityOf, listDirectory, statPath, type FileIdentity } from '#disk'
import {
  glanceMeta,
  isCompressed,
  parseRolloutName,
  plainPath,
  timeOfId,
  type RolloutMeta,
} from '../rows/index.ts'
import type { RolloutName } from '../rows/index.ts'
import type { SessionFile } from '../../session-file.ts'
import { NAME } from '../steps/index.ts'
import { archivedDirectory, sessionsDirectory, stateDatabase } from './places.ts'
import { readThreadNames } from './thread-names.ts'
import { readThreadIndex, type IndexedThread } from './thread-index.ts'

export interface RolloutFile extends RolloutName {
  readonly path: string
  readonly isArchived: boolean
}

/** A thread with its rollouts. `path` is the one that the agent would resume. */
export interface CodexFile extends SessionFile {
  /** The other rollouts of the thread, oldest first. */
  readonly others: readonly RolloutFile[]
  readonly isArchived: boolean
  readonly name: string | null
}

/** Every rollout on the machine, and which one each thread is at. */
export interface Shelf {
  readonly home: string
  readonly threads: ReadonlyMap<string, readonly RolloutFile[]>
  readonly byRollout: ReadonlyMap<string, RolloutFile>
  readonly index: ReadonlyMap<string, IndexedThread>
  /** The names that users gave to threads. */
  readonly names: ReadonlyMap<string, string>
}

const known = new Map<string, { readonly state: string; readonly shelf: Shelf }>()

/** A change this short ago may not show in the times of its directory. */
const RACY_NS = 100_000_000n

/** The shelf, read again only if a directory or an index changed since. */
export function readShelf(home: string): Shelf {
  const { state, newest } = stateOf(home)
  const kept = known.get(home)
  if (kept?.state === state) return kept.shelf
  const shelf = buildShelf(home)
  if (BigInt(Date.now()) * 1_000_000n - newest > RACY_NS) known.set(home, { state, shelf })
  else known.delete(home)
  return shelf
}

/** What changes when a rollout comes or goes, or when the agent's index or names change. */
function stateOf(home: string): { state: string; newest: bigint } {
  const database = stateDatabase(home)
  const indexes = [database, database && `${database}-wal`, `${home}/session_index.jsonl`]
  let newest = 0n
  const parts = [...directoriesOf(home), ...indexes.filter((path) => path !== null)].map((path) => {
    const stat = statPath(path)
    if (stat === null) return path
    if (stat.ctimeNs > newest) newest = stat.ctimeNs
    return `${path} ${stat.ino} ${stat.size} ${stat.ctimeNs}`
  })
  return { state: parts.join('\n'), newest }
}

function directoriesOf(home: string): string[] {
  return [sessionsDirectory(home), archivedDirectory(home)].flatMap((root) => [
    root,
    ...directoriesBelow(root, 1),
  ])
}

function directoriesBelow(directory: string, depth: number): string[] {
  // Those of the last level hold only rollouts.
  if (depth >= MAX_DEPTH) return []
  return listDirectory(directory).flatMap(({ name, kind }) => {
    const path = `${directory}/${name}`
    return kind === 'directory' ? [path, ...directoriesBelow(path, depth + 1)] : []
  })
}

function buildShelf(home: string): Shelf {
  const files = [
    ...rolloutsBelow(sessionsDirectory(home), false),
    ...rolloutsBelow(archivedDirectory(home), true),
  ].sort(byAge)
  const byRollout = new Map<string, RolloutFile>()
  // The same rollout can be in both places for a moment; the agent looks at `sessions` first.
  for (const file of files)
    if (byRollout.get(file.rollout)?.isArchived !== false) byRollout.set(file.rollout, file)
  return {
    home,
    threads: Map.groupBy(files, ({ thread }) => thread),
    byRollout,
    index: readThreadIndex(home),
    names: readThreadNames(home),
  }
}

/** The names have seconds; a rollout's id has milliseconds. */
function byAge(a: RolloutFile, b: RolloutFile): number {
  if (a.stamp !== b.stamp) return a.stamp < b.stamp ? -1 : 1
  return a.rollout < b.rollout ? -1 : a.rollout > b.rollout ? 1 : 0
}

/** By year, month and day; archived ones are in one directory. */
const MAX_DEPTH = 4

function rolloutsBelow(directory: string, isArchived: boolean, depth = 1): RolloutFile[] {
  const entries = listDirectory(directory)
  const names = new Set(entries.map(({ name }) => name))
  return entries.flatMap(({ name, kind }) => {
    // While Codex compresses a file or writes it out, there are both. It takes the plain one.
    if (isCompressed(name) && names.has(plainPath(name))) return []
    const path = `${directory}/${name}`
    if (kind === 'directory')
      return depth < MAX_DEPTH ? rolloutsBelow(path, isArchived, depth + 1) : []
    const parsed = kind === 'file' ? parseRolloutName(name) : null
    return parsed === null ? [] : [{ ...parsed, path, isArchived }]
  })
}

/**
 * The rollout that the agent would resume: the one its index names, else the newest. An archived
 * thread has no other place.
 */
export function currentOf(shelf: Shelf, thread: string): RolloutFile | null {
  const own = shelf.threads.get(thread) ?? []
  const named = plainPath(shelf.index.get(thread)?.path ?? '')
  return (
    own.find(({ path }) => plainPath(path) === named) ??
    own.findLast(({ isArchived }) => !isArchived) ??
    own.at(-1) ??
    null
  )
}

/** Null if the thread has no rollout, or belongs to another one: subagents are steps of that. */
export function describeThread(shelf: Shelf, thread: string): CodexFile | null {
  const current = currentOf(shelf, thread)
  const meta = current === null ? null : metaOf(current.path)
  if (current === null || meta?.parent != null) return null
  const stat = statPath(current.path)
  if (stat === null || !stat.isFile()) return null
  const own = identityOf(stat)
  const others = shelf.threads.get(thread)!.filter(({ path }) => path !== current.path)
  return {
    agent: NAME,
    id: thread,
    path: current.path,
    identity: own,
    bornAt: timeOfId(thread) ?? new Date(Number(stat.birthtimeMs)),
    others,
    isArchived: current.isArchived,
    name: shelf.index.get(thread)?.name ?? shelf.names.get(thread) ?? meta?.branch?.title ?? null,
  }
}

/** Whether a missing rollout is archived, taken out of the archive, compressed or written out. */
export function hasElsewhere({ byRollout }: Shelf, path: string): boolean {
  const name = parseRolloutName(path.slice(path.lastIndexOf('/') + 1))
  const now = name === null ? undefined : byRollout.get(name.rollout)
  return now !== undefined && now.path !== path
}

const metas = new Map<string, RolloutMeta | null>()

/** The first row never changes, so it is read once per process. */
export function metaOf(path: string): RolloutMeta | null {
  let meta = metas.get(path)
  if (meta === undefined || meta === null) metas.set(path, (meta = glanceMeta(path)))
  return meta
}

/** The identities of all files that a thread consists of. */
export function identityText({ path, identity, others }: CodexFile): string {
  const text = (at: string, { device, inode, size, modified }: FileIdentity): string =>
    `${at} ${device} ${inode} ${size} ${modified}`
  const rest = others.map((other) => {
    const stat = statPath(other.path)
    return stat === null ? other.path : text(other.path, identityOf(stat))
  })
  return [text(path, identity), ...rest].join('\n')
}

/** The directory that the session began in. */
export function cwdOf({ path }: Pick<CodexFile, 'path'>): string | null {
  return metaOf(path)?.cwd ?? null
}
