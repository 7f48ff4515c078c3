import { listFiles, type FileList } from '#snapshots'
import { rankPaths } from '#timeline'
import { openSlice, usableSettings, userGit, type Machine } from '../ground/index.ts'

export interface FoundPaths {
  /** Relative to the directory that the agent works in; a directory ends with a slash. */
  readonly paths: readonly string[]
  /** False if the project has more files than are listed. */
  readonly isWhole: boolean
}

/** Names of a project's files, for completion. */
export interface ProjectFiles {
  find(directory: string, typed: string, most: number): Promise<FoundPaths>
}

const MAX_LISTED_FILES = 200_000
/** A list this young is used as is. An older one is still used while it is read again. */
const FRESH_MS = 2000
/** A list this old may show files that are long gone, so the caller waits for a new one. */
const STALE_MS = 60_000
const MAX_PROJECTS = 8

interface Kept {
  list: FileList | null
  at: number
  reading: Promise<FileList> | null
}

export function openProjectFiles(machine: Machine): ProjectFiles {
  const kept = new Map<string, Kept>()

  const read = (directory: string, entry: Kept): Promise<FileList> =>
    (entry.reading ??= list(machine, directory).then(
      (found) => {
        Object.assign(entry, { list: found, at: performance.now(), reading: null })
        return found
      },
      (error: unknown) => {
        entry.reading = null
        throw error
      },
    ))

  return {
    async find(directory, typed, most) {
      const entry = kept.get(directory) ?? { list: null, at: -Infinity, reading: null }
      kept.delete(directory)
      kept.set(directory, entry)
      for (const oldest of kept.keys()) if (kept.size > MAX_PROJECTS) kept.delete(oldest)
      const age = performance.now() - entry.at
      if (age > FRESH_MS) void read(directory, entry).catch(() => undefined)
      const { paths, isWhole } =
        entry.list === null || age > STALE_MS ? await read(directory, entry) : entry.list
      return { paths: rankPaths(paths, typed, most), isWhole }
    },
  }
}

function list(machine: Machine, directory: string): Promise<FileList> {
  const slice = openSlice()
  return listFiles(directory, {
    git: userGit(machine),
    include: usableSettings(machine).include,
    most: MAX_LISTED_FILES,
    pause: () => slice.pause(),
  })
}
