import { durableDisk, makePrivateDirectory, nameBytes, removeIfExists, writeOnce } from '#disk'
import type { Places } from '../ground/index.ts'

const DIRECTORY = 'reopened'

/** A message for the agent to show once it is reopened: its hook prints and removes it. */
export function noteForReopened({ state }: Places, session: string, text: string): void {
  const directory = makePrivateDirectory(durableDisk, state, [DIRECTORY])
  removeIfExists(durableDisk, nameBytes(`${directory}/${session}`))
  writeOnce(durableDisk, directory, session, Buffer.from(JSON.stringify({ systemMessage: text })))
}

/** The agent was not reopened. Without this, a later start would show an outdated message. */
export function dropReopenedNote({ state }: Places, session: string): void {
  removeIfExists(durableDisk, nameBytes(`${state}/${DIRECTORY}/${session}`))
}
