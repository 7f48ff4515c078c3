import { durableDisk, makePrivateDirectory, makePrivateFile, nameBytes, writeAll } from '#disk'

/**
 * Changes and failures, one JSON object per line, readable only by the owner. Contains ids and
 * codes, but no text of a conversation and no token.
 */
export interface ServerLog extends Disposable {
  write(entry: Readonly<Record<string, unknown>>): void
}

const MAX_BYTES = 4 * 1024 * 1024

export function openLog(state: string, now: () => Date): ServerLog {
  const disk = durableDisk
  const directory = makePrivateDirectory(disk, state, [])
  const path = nameBytes(`${directory}/server.log`)
  const size = disk.stat(path)?.size ?? 0
  if (size > MAX_BYTES) disk.rename(path, nameBytes(`${directory}/server.log.old`))
  makePrivateFile(disk, directory, 'server.log')
  const file = disk.openAppend(path)
  return {
    write(entry) {
      try {
        const line = JSON.stringify({ at: now().toISOString(), ...entry })
        writeAll(disk, file, Buffer.from(`${line}\n`))
      } catch {
        // A full disk must not make a completed operation fail.
      }
    },
    [Symbol.dispose]: () => disk.close(file),
  }
}
