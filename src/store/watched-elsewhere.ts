import {
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  statPath,
  writeOnce,
  type Disk,
} from '#disk'
import { listProjects } from './project-key.ts'
import { shortDigest } from './short-digest.ts'
import type { Store } from './store.ts'

/** A directory outside of a project in which its sessions work. */
interface WatchedElsewhere {
  readonly project: string
  readonly directory: string
}

const DIRECTORY = 'watched'

/**
 * Records in a file next to the store that a project's sessions work in a directory outside of it.
 * The project that owns the directory reads it: opening every other store would take too long.
 */
export function recordWatched({ disk, directory: own }: Store, directory: string): void {
  const where = makePrivateDirectory(disk, own, [DIRECTORY])
  writeOnce(
    disk,
    where,
    `${shortDigest(nameBytes(directory))}.json`,
    Buffer.from(JSON.stringify(directory)),
  )
}

export function listWatchedElsewhere(disk: Disk, data: string): WatchedElsewhere[] {
  const keys = listDirectory(`${data}/projects`)
    .map(({ name }) => name)
    .filter((key) => statPath(`${data}/projects/${key}/${DIRECTORY}`) !== null)
  if (keys.length === 0) return []
  return listProjects(disk, data)
    .filter(({ key }) => keys.includes(key))
    .flatMap(({ key, path: project }) => {
      const where = `${data}/projects/${key}/${DIRECTORY}`
      return listDirectory(where).flatMap(({ name }) => {
        const directory = name.endsWith('.json')
          ? parse(readOwnFile(disk, `${where}/${name}`))
          : null
        return directory === null ? [] : [{ project, directory }]
      })
    })
}

function parse(bytes: Buffer | null): string | null {
  try {
    const read: unknown = JSON.parse(bytes?.toString('utf8') ?? 'null')
    return typeof read === 'string' ? read : null
  } catch {
    return null
  }
}
