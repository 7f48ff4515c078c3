import { dirname, resolve } from 'node:path'
import { readSmallFile, statPath } from '#disk'

/** The repository that a project lies in. It is read, never written, and git is not asked. */
export interface Repository {
  /** The top of its working tree. */
  readonly top: string
  /** Where its index is. */
  readonly directory: string
  /** Where objects, config and info are: the same, but for a linked worktree. */
  readonly common: string
}

const SMALL = 64 * 1024

/** Looks upwards from a directory, as git does; null when it lies in no repository. */
export function findRepository(from: string): Repository | null {
  for (let top = from; ; top = dirname(top)) {
    const directory = gitDirectoryAt(top)
    if (directory !== null) {
      const common = readSmallFile(`${directory}/commondir`, SMALL)?.toString('utf8').trim()
      return { top, directory, common: common ? resolve(directory, common) : directory }
    }
    if (dirname(top) === top) return null
  }
}

/** `.git` is a directory, or in submodules and worktrees a file that names one. */
function gitDirectoryAt(top: string): string | null {
  const stat = statPath(`${top}/.git`)
  if (stat === null) return null
  const named = stat.isFile()
    ? /^gitdir: (.+?)\s*$/u.exec(readSmallFile(`${top}/.git`, SMALL)?.toString('utf8') ?? '')?.[1]
    : '.git'
  if (named === undefined) return null
  const directory = resolve(top, named)
  return statPath(`${directory}/HEAD`) === null ? null : directory
}
