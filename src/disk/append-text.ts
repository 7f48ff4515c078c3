import { appendFileSync } from 'node:fs'
import { writeFailure } from './write-failure.ts'

/** Adds to the end of a file of the user's, whatever else stands there; makes it where there is none. */
export function appendText(path: string, text: string): void {
  try {
    appendFileSync(path, text)
  } catch (cause) {
    throw writeFailure(cause, path)
  }
}
