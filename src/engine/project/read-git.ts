import { resolve } from 'node:path'
import { lstatPath, readSmallFile } from '#disk'

/** The state of a project's git repository, read from its files: git itself is never run (S11). */
export interface GitState {
  /** As agents record it: the branch, or HEAD if none is checked out; null without git. */
  readonly branch: string | null
  /** The merge, rebase or similar that the user has not finished. */
  readonly unfinished: string | null
}

const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'merge',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
}
const MAX_BYTES = 4096
const MAX_PACKED_BYTES = 16 * 1024 * 1024

export function readGit(project: string): GitState {
  const directory = findGitDirectory(project)
  if (directory === null) return { branch: null, unfinished: null }
  const head = readSmallFile(`${directory}/HEAD`, MAX_BYTES)?.toString('utf8').trim() ?? ''
  const found = Object.keys(UNFINISHED).find((name) => lstatPath(`${directory}/${name}`) !== null)
  return {
    branch: /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? 'HEAD',
    unfinished: found === undefined ? null : UNFINISHED[found]!,
  }
}

/**
 * The name of HEAD, as agents record it, after a checkout of what git's log calls `to`: a branch,
 * or HEAD if that was a commit or a tag.
 */
export function headAfterCheckout(project: string, to: string): string {
  const directory = findGitDirectory(project)
  if (directory === null) return to
  const named = readSmallFile(`${directory}/commondir`, MAX_BYTES)?.toString().trim() ?? '.'
  const common = resolve(directory, named)
  // Git's newer format keeps branches in binary tables.
  if (lstatPath(`${common}/reftable`) !== null) return to
  if (lstatPath(`${common}/refs/heads/${to}`)?.isFile() === true) return to
  const packed = readSmallFile(`${common}/packed-refs`, MAX_PACKED_BYTES)?.toString() ?? ''
  return packed.includes(` refs/heads/${to}\n`) ? to : 'HEAD'
}

/**
 * The git directory of the project or of the repository around it. In a linked worktree, `.git` is
 * a file that names it.
 */
function findGitDirectory(project: string): string | null {
  for (let at = project; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const stat = lstatPath(`${at}/.git`)
    if (stat?.isDirectory() === true) return `${at}/.git`
    if (stat?.isFile() !== true) continue
    const named = /^gitdir: (.+)$/m.exec(readSmallFile(`${at}/.git`, MAX_BYTES)?.toString() ?? '')
    if (named === null) return null
    return named[1]!.startsWith('/') ? named[1]! : `${at}/${named[1]!}`
  }
  return null
}
