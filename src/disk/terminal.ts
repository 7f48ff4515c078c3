import { constants, openSync, statSync, utimesSync } from 'node:fs'

/** When keys were last read from a terminal, in milliseconds since 1970; null when it is gone. */
export function lastReadFrom(terminal: string): number | null {
  try {
    return statSync(terminal).atimeMs
  } catch {
    return null
  }
}

/**
 * Sets that time. The kernel writes it once in eight seconds, so that only a time which was set
 * far back tells whether a key was read since.
 */
export function setLastRead(terminal: string, at: Date): void {
  try {
    utimesSync(terminal, at, statSync(terminal).mtime)
  } catch {
    // It has been closed, or is not ours: then it counts as read.
  }
}

/** For reading and writing, without becoming this process's own terminal. */
export function openTerminal(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NOCTTY)
}
