import { relative, sep } from 'node:path'
import { readSmallFile } from '#disk'
import { findRepository } from './git-directory.ts'
import { openGitObjects, type TreeEntry } from './git-objects.ts'

/** How much of git's own logs was there at a look: what comes later is news. */
export interface GitPlace {
  readonly head: number
  readonly stash: number
}

/** What git did to its HEAD, or put into its stash, as its own log says. */
export interface GitMove {
  readonly kind: 'checkout' | 'commit' | 'reset' | 'stash' | 'other'
  /** `checkout`, `merge feature`, `rebase (finish)`. */
  readonly command: string
  readonly old: string
  readonly new: string
  /** Of a checkout: the two branches. */
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  /** In ms, cut to the second. */
  readonly at: number
}

const LARGEST_LOG = 64 * 1024 * 1024
const NOWHERE = '0'.repeat(40)

/** Null where there is no git. Only files are read: git is never run. */
export function readGitPlace(root: string): GitPlace | null {
  const repository = findRepository(root)
  if (repository === null) return null
  return {
    head: readLog(`${repository.directory}/logs/HEAD`).length,
    stash: readLog(`${repository.common}/logs/refs/stash`).length,
  }
}

/** Oldest first. A log that was cut or written anew tells nothing. */
export function gitMovesSince(root: string, place: GitPlace): GitMove[] {
  const repository = findRepository(root)
  if (repository === null) return []
  const heads = linesAfter(readLog(`${repository.directory}/logs/HEAD`), place.head)
  const stashes = linesAfter(readLog(`${repository.common}/logs/refs/stash`), place.stash)
  return [
    ...heads.flatMap((line) => parseMove(line) ?? []).filter(({ old }) => old !== NOWHERE),
    ...stashes.flatMap((line) => {
      const move = parseMove(line)
      return move === null ? [] : [{ ...move, kind: 'stash' as const, subject: move.command }]
    }),
  ]
}

/** What stood at paths of the project in the commits of its repository. */
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
  return readSmallFile(path, LARGEST_LOG) ?? Buffer.alloc(0)
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
