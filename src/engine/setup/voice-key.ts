import {
  durableDisk,
  lookAtPrivate,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfThere,
  writeOnce,
} from '#disk'
import { Failure } from '#failure'
import type { Machine } from '../ground/index.ts'

/**
 * The user's key for the speech service. It lies apart from the settings, which people show and
 * share, in a file that only its owner can read; it never goes to the page, into a log or into an
 * answer.
 */
export interface VoiceKey {
  readonly from: 'environment' | 'file'
  readonly value: string
}

const NAME = 'voice-key'

/** What the environment says comes first, as with every program of its kind. */
export function findVoiceKey(machine: Machine, environment: string | null): VoiceKey | null {
  if (environment !== null) return { from: 'environment', value: environment }
  const value = readKeyFile(`${machine.places.data}/${NAME}`)
  return value === null ? null : { from: 'file', value }
}

/** Null takes it away. */
export function writeVoiceKey({ places }: Machine, key: string | null): void {
  if (key !== null && !/^[\x21-\x7e]{8,400}$/.test(key))
    throw new Failure('usage', 'That is not a key. A key is one word of 8 to 400 characters.')
  const directory = makePrivateDirectory(durableDisk, places.data, [])
  removeIfThere(durableDisk, nameBytes(`${directory}/${NAME}`))
  if (key !== null) writeOnce(durableDisk, directory, NAME, Buffer.from(`${key}\n`))
}

function readKeyFile(path: string): string | null {
  const stat = lookAtPrivate(durableDisk, path, 'file')
  if (stat === null) return null
  if ((stat.mode & 0o077) !== 0)
    throw new Failure('voice-key-unsafe', `Other users can read ${path}.`, {
      hint: `Run \`chmod 600 ${path}\` and replace the key.`,
    })
  return String(readOwnFile(durableDisk, path)).trim() || null
}
