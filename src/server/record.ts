import {
  durableDisk,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfThere,
  lookAtPrivate,
  writeOnce,
} from '#disk'
import type { ServerView } from '#protocol'

/** Where a running server is written down, readable for its owner alone. */
const NAME = 'server.json'

export function writeRecord(runtime: string, record: ServerView): void {
  const directory = makePrivateDirectory(durableDisk, runtime, [])
  removeIfThere(durableDisk, nameBytes(`${directory}/${NAME}`))
  writeOnce(durableDisk, directory, NAME, Buffer.from(JSON.stringify(record)))
}

export function removeRecord(runtime: string, { pid, token }: ServerView): void {
  const found = readRecord(runtime)
  if (found?.pid === pid && found.token === token)
    removeIfThere(durableDisk, nameBytes(`${runtime}/${NAME}`))
}

/** Null when there is none, or none that this version can read. Somebody else's is refused. */
export function readRecord(runtime: string): ServerView | null {
  if (lookAtPrivate(durableDisk, `${runtime}/${NAME}`, 'file') === null) return null
  try {
    const record = JSON.parse(String(readOwnFile(durableDisk, `${runtime}/${NAME}`))) as ServerView
    return record?.schema === 'retake.server/1' ? record : null
  } catch {
    return null
  }
}
