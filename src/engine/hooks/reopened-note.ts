import { durableDisk, makePrivateDirectory, nameBytes, removeIfThere, writeOnce } from '#disk'
import type { Places } from '../ground/index.ts'

const DIRECTORY = 'reopened'

/** What the agent shows when it has been reopened: its hook hands it on, and removes it. */
export function noteForReopened({ state }: Places, session: string, text: string): void {
  const directory = makePrivateDirectory(durableDisk, state, [DIRECTORY])
  removeIfThere(durableDisk, nameBytes(`${directory}/${session}`))
  writeOnce(durableDisk, directory, session, Buffer.from(JSON.stringify({ systemMessage: text })))
}

/** It was not reopened: a later start would show what is long past. */
export function dropReopenedNote({ state }: Places, session: string): void {
  removeIfThere(durableDisk, nameBytes(`${state}/${DIRECTORY}/${session}`))
}
