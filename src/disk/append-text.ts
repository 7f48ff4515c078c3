import { appendFileSync } from 'node:fs'
import { writeFailure } from './write-failure.ts'

/**
 * Appends to one of the user's files, whatever it contains. Creates the file if it does not exist.
 */
export function appendText(path: string, text: string): void {
  try {
    appendFileSync(path, text)
  } catch (cause) {
    throw writeFailure(cause, path)
  }
}
