import {
  type Disk,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfExists,
  inspectPrivate,
  writeOnce,
} from '#disk'

/** The address of a running server, and the token that grants access. */
export interface ServerRecord {
  readonly schema: 'retake.server/1'
  readonly url: string
  readonly port: number
  readonly token: string
  readonly pid: number
}

/** The file with the record of a running server, readable only by its owner. */
const NAME = 'server.json'

export function writeServerRecord(disk: Disk, runtime: string, record: ServerRecord): void {
  const directory = makePrivateDirectory(disk, runtime, [])
  removeIfExists(disk, nameBytes(`${directory}/${NAME}`))
  writeOnce(disk, directory, NAME, Buffer.from(JSON.stringify(record)))
}

export function removeServerRecord(
  disk: Disk,
  runtime: string,
  { pid, token }: ServerRecord,
): void {
  const found = readServerRecord(disk, runtime)
  if (found?.pid === pid && found.token === token)
    removeIfExists(disk, nameBytes(`${runtime}/${NAME}`))
}

/** Null if there is none, or none that this version can read. Refuses a file of another user. */
export function readServerRecord(disk: Disk, runtime: string): ServerRecord | null {
  const record = parseRecord(disk, runtime)
  return record?.schema === 'retake.server/1' ? (record as ServerRecord) : null
}

/** Whether the record is in a later format, which only a newer Retake can read. */
export function isServerNewer(disk: Disk, runtime: string): boolean {
  const version = /^retake\.server\/(\d+)$/.exec(String(parseRecord(disk, runtime)?.schema))?.[1]
  return version !== undefined && Number(version) > 1
}

function parseRecord(disk: Disk, runtime: string): { readonly schema?: unknown } | null {
  if (inspectPrivate(disk, `${runtime}/${NAME}`, 'file') === null) return null
  try {
    return JSON.parse(String(readOwnFile(disk, `${runtime}/${NAME}`))) as {
      schema?: unknown
    } | null
  } catch {
    return null
  }
}
