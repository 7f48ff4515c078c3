import { listForScan, readSmallFile } from '#disk'
import { findRepository } from './git-directory.ts'
import type { UserGit } from './git-ignoring.ts'
import { openTracked } from './git-tracked.ts'
import { IGNORE_FILE, judge, outerScope, readOuterRules, scopeOf, stickyPaths } from './scope.ts'

export interface FileList {
  /** Relative to the directory; directories end with a slash. Shallow paths come first. */
  readonly paths: readonly string[]
  /** False if the list was cut off at the limit. */
  readonly isWhole: boolean
}

const MAX_IGNORE_FILE_BYTES = 4 * 1024 * 1024

/**
 * Lists the names in scope without reading a file. Breadth first, so that a list that is cut off
 * still has the files near the top.
 */
export async function listFiles(
  directory: string,
  options: {
    readonly git: UserGit
    readonly include: readonly string[]
    readonly most: number
    /** Awaited between directories, so that a large tree does not block other requests. */
    readonly pause: () => Promise<void>
  },
): Promise<FileList> {
  const { git, include, most, pause } = options
  const repository = findRepository(directory)
  const outer = readOuterRules(directory, repository, git, include)
  const tracked = openTracked(directory, repository)
  const paths: string[] = []
  const queue = [
    { path: '', isPartial: false, parent: outerScope(outer, stickyPaths([]), { tracked }) },
  ]
  for (const { path, isPartial, parent } of queue) {
    await pause()
    const whole = path === '' ? directory : `${directory}/${path}`
    const entries = tryList(whole)
    const ignoreFile = entries.some(({ name }) => name === IGNORE_FILE)
      ? readSmallFile(`${whole}/${IGNORE_FILE}`, MAX_IGNORE_FILE_BYTES)
      : null
    const scope = scopeOf(parent, path, ignoreFile, isPartial)
    for (const { name, isDirectory } of entries) {
      // A name that is not UTF-8 cannot be typed into a prompt.
      if (!name.isWellFormed()) continue
      const verdict = judge(scope, name, { isDirectory })
      if (verdict === 'out') continue
      const found = path === '' ? name : `${path}/${name}`
      if (isDirectory) queue.push({ path: found, isPartial: verdict === 'partial', parent: scope })
      if (verdict === 'partial') continue
      if (paths.length >= most) return { paths, isWhole: false }
      paths.push(isDirectory ? `${found}/` : found)
    }
  }
  return { paths, isWhole: true }
}

/** A directory that is unreadable or disappeared contributes no names. */
function tryList(path: string): ReturnType<typeof listForScan> {
  try {
    return listForScan(path)
  } catch {
    return []
  }
}
