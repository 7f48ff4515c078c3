import { dirname, resolve } from 'node:path'
import { readSmallFile, statPath } from '#disk'

/** The repository that contains a project. Retake only reads its files, and does not run git. */
export interface Repository {
  /** The top of the working tree. */
  readonly top: string
  /** Holds the index. */
  readonly directory: string
  /** Holds objects, config and info. Differs from `directory` only in a linked worktree. */
  readonly common: string
}

const MAX_POINTER_BYTES = 64 * 1024

/** Searches upwards as git does; null if the directory is in no repository. */
export function findRepository(from: string): Repository | null {
  for (let top = from; ; top = dirname(top)) {
    const directory = gitDirectoryAt(top)
    if (directory !== null) {
      const common = readSmallFile(`${directory}/commondir`, MAX_POINTER_BYTES)
        ?.toString('utf8')
        .trim()
      return { top, directory, common: common ? resolve(directory, common) : directory }
    }
    if (dirname(top) === top) return null
  }
}

/** `.git` is a directory; in submodules and worktrees it is a file with the path of one. */
function gitDirectoryAt(top: string): string | null {
  const stat = statPath(`${top}/.git`)
  if (stat === null) return null
  const named = stat.isFile()
    ? /^gitdir: (.+?)\s*$/u.exec(
        readSmallFile(`${top}/.git`, MAX_POINTER_BYTES)?.toString('utf8') ?? '',
      )?.[1]
    : '.git'
  if (named === undefined) return null
  const directory = resolve(top, named)
  return statPath(`${directory}/HEAD`) === null ? null : directory
}
