import { lstatPath, readSmallFile } from '#disk'

/** What git is about in a project, read from its files: git itself is never run for it (S11). */
export interface GitState {
  /** As agents write it down: the branch, or HEAD when none is checked out; null without git. */
  readonly branch: string | null
  /** What the user has begun and not finished. */
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
const LARGEST = 4096

export function readGit(project: string): GitState {
  const directory = findGitDirectory(project)
  if (directory === null) return { branch: null, unfinished: null }
  const head = readSmallFile(`${directory}/HEAD`, LARGEST)?.toString('utf8').trim() ?? ''
  const found = Object.keys(UNFINISHED).find((name) => lstatPath(`${directory}/${name}`) !== null)
  return {
    branch: /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? 'HEAD',
    unfinished: found === undefined ? null : UNFINISHED[found]!,
  }
}

/** Of the project or of the repository it lies in; a linked working tree names its own in a file. */
function findGitDirectory(project: string): string | null {
  for (let at = project; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const stat = lstatPath(`${at}/.git`)
    if (stat?.isDirectory() === true) return `${at}/.git`
    if (stat?.isFile() !== true) continue
    const named = /^gitdir: (.+)$/m.exec(readSmallFile(`${at}/.git`, LARGEST)?.toString() ?? '')
    if (named === null) return null
    return named[1]!.startsWith('/') ? named[1]! : `${at}/${named[1]!}`
  }
  return null
}
