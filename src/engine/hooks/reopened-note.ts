import {
  type Disk,
  makePrivateDirectory,
  nameBytes,
  removeIfExists,
  statPath,
  writeOnce,
} from '#disk'
import type { Places } from '../ground/index.ts'

const DIRECTORY = 'reopened'

/** A message for the agent to show once it is reopened: its hook prints and removes it. */
export function noteForReopened(
  disk: Disk,
  { state }: Places,
  session: string,
  text: string,
): void {
  const directory = makePrivateDirectory(disk, state, [DIRECTORY])
  removeIfExists(disk, nameBytes(`${directory}/${session}`))
  writeOnce(disk, directory, session, Buffer.from(JSON.stringify({ systemMessage: text })))
}

export function hasReopenedNote({ state }: Places, session: string): boolean {
  return statPath(`${state}/${DIRECTORY}/${session}`) !== null
}

/** The agent was not reopened. Without this, a later start would show an outdated message. */
export function dropReopenedNote(disk: Disk, { state }: Places, session: string): void {
  removeIfExists(disk, nameBytes(`${state}/${DIRECTORY}/${session}`))
}
