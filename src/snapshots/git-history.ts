import { relative, sep } from 'node:path'
import { readSmallFile } from '#disk'
import { findRepository, type Repository } from './git-directory.ts'
import { openGitObjects, type TreeEntry } from './git-objects.ts'

/** The state of git's logs at a scan. */
export interface GitPlace {
  /** The size of HEAD's log. Lines after it are new. */
  readonly head: number
  /** The stashes: popping one makes their log shorter, so a size would miss a new one. */
  readonly stashes?: readonly string[]
}

/** One move of HEAD, or a stash that is new or gone, from git's own log. */
export interface GitMove {
  readonly kind: 'checkout' | 'commit' | 'reset' | 'stash' | 'unstash' | 'other'
  /** `checkout`, `merge feature`, `rebase (finish)`. */
  readonly command: string
  readonly old: string
  readonly new: string
  /** The two branches of a checkout. */
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  /** In ms, but precise to the second. 0 if git did not log it. */
  readonly at: number
}

const MAX_LOG_BYTES = 64 * 1024 * 1024
const NULL_ID = '0'.repeat(40)

/** Null outside a repository. Reads git's files and never runs git. */
export function readGitPlace(root: string): GitPlace | null {
  const repository = findRepository(root)
  if (repository === null) return null
  return {
    head: readLog(`${repository.directory}/logs/HEAD`).length,
    stashes: stashesIn(repository).map((move) => move.new),
  }
}

/** Oldest first. Empty if a log was truncated or rewritten shorter. */
export function gitMovesSince(root: string, place: GitPlace): GitMove[] {
  const repository = findRepository(root)
  if (repository === null) return []
  const heads = linesAfter(readLog(`${repository.directory}/logs/HEAD`), place.head)
  const stashes = stashesIn(repository)
  const known = place.stashes ?? stashes.map((move) => move.new)
  const gone = known.filter((id) => stashes.every((move) => move.new !== id))
  return [
    ...heads.flatMap((line) => parseMove(line) ?? []).filter(({ old }) => old !== NULL_ID),
    ...stashes
      .filter((move) => !known.includes(move.new))
      .map((move) => ({ ...move, kind: 'stash' as const, subject: move.command })),
    ...gone.map((id): GitMove => ({ kind: 'unstash', command: 'stash', old: id, new: id, at: 0 })),
  ]
}

/** The commits of the stashes that exist now, newest first as git numbers them. */
export function readStashes(root: string): string[] {
  const repository = findRepository(root)
  if (repository === null) return []
  return stashesIn(repository)
    .map((move) => move.new)
    .toReversed()
}

/** Oldest first. */
function stashesIn({ common }: Repository): GitMove[] {
  const lines = linesAfter(readLog(`${common}/logs/refs/stash`), 0)
  return lines.flatMap((line) => parseMove(line) ?? [])
}

/** Looks up paths of the project in commits of its repository. */
export interface CommitFiles extends Disposable {
  entryAt(commit: string, path: string): TreeEntry | null | 'unreadable'
  readBlob(id: string): Buffer | null
}

export function openCommitFiles(root: string): CommitFiles | null {
  const repository = findRepository(root)
  if (repository === null) return null
  const objects = openGitObjects(`${repository.common}/objects`)
  const inner = relative(repository.top, root).split(sep).filter(Boolean)
  return {
    entryAt: (commit, path) => objects.findInCommit(commit, [...inner, path].join('/')),
    readBlob: (id) => objects.readBlob(id),
    [Symbol.dispose]: () => objects[Symbol.dispose](),
  }
}

function readLog(path: string): Buffer {
  return readSmallFile(path, MAX_LOG_BYTES) ?? Buffer.alloc(0)
}

function linesAfter(log: Buffer, size: number): string[] {
  if (log.length <= size) return []
  return log.toString('utf8', size).split('\n').filter(Boolean)
}

const LINE = /^([0-9a-f]{40}) ([0-9a-f]{40}) .*?> (\d+) [+-]\d{4}\t(.*)$/u

function parseMove(line: string): GitMove | null {
  const parts = LINE.exec(line)
  if (parts === null) return null
  const [, old = '', next = '', seconds, message = ''] = parts
  const colon = message.indexOf(': ')
  const command = colon < 0 ? message : message.slice(0, colon)
  const subject = colon < 0 ? '' : message.slice(colon + 2)
  const found = { command, old, new: next, at: Number(seconds) * 1000 }
  const moved = /^moving from (.+) to (.+)$/u.exec(subject)
  if (command === 'checkout' && moved !== null)
    return { ...found, kind: 'checkout', from: moved[1]!, to: moved[2]! }
  if (/^commit( \((amend|initial|merge)\))?$/u.test(command))
    return { ...found, kind: 'commit', subject }
  return { ...found, kind: command === 'reset' ? 'reset' : 'other', subject }
}
