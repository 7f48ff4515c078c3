import {
  type Disk,
  inspectPrivate,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfExists,
  writeOnce,
} from '#disk'
import { Failure } from '#failure'
import type { Machine } from '../ground/index.ts'

/**
 * The user's key for the speech service. People share their settings, so the key is in a separate
 * file that only its owner can read. It is never sent to the page or written to a log or a
 * response.
 */
export interface VoiceKey {
  readonly from: 'environment' | 'file'
  readonly value: string
}

const NAME = 'voice-key'

/** The environment variable takes precedence, as in other programs. */
export function findVoiceKey(machine: Machine, environment: string | null): VoiceKey | null {
  if (environment !== null) return { from: 'environment', value: environment }
  const value = readKeyFile(machine.disk, `${machine.places.data}/${NAME}`)
  return value === null ? null : { from: 'file', value }
}

/** Null deletes the key. */
export function writeVoiceKey({ places, disk }: Machine, key: string | null): void {
  if (key !== null && !/^[\x21-\x7e]{8,400}$/.test(key))
    throw new Failure('usage', 'That is not a key. A key is one word of 8 to 400 characters.')
  const directory = makePrivateDirectory(disk, places.data, [])
  removeIfExists(disk, nameBytes(`${directory}/${NAME}`))
  if (key !== null) writeOnce(disk, directory, NAME, Buffer.from(`${key}\n`))
}

function readKeyFile(disk: Disk, path: string): string | null {
  const stat = inspectPrivate(disk, path, 'file')
  if (stat === null) return null
  if ((stat.mode & 0o077) !== 0)
    throw new Failure('voice-key-unsafe', `Other users can read ${path}.`, {
      hint: `Run \`chmod 600 ${path}\` and replace the key.`,
    })
  return String(readOwnFile(disk, path)).trim() || null
}
