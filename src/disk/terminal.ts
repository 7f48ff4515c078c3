import { constants, openSync, statSync, utimesSync } from 'node:fs'

/**
 * When a program last read keys from a terminal, in milliseconds since 1970. Null if it is gone.
 */
export function lastReadFrom(terminal: string): number | null {
  try {
    return statSync(terminal).atimeMs
  } catch {
    return null
  }
}

/**
 * Sets that time. The kernel updates it at most every eight seconds, so only a time set far in the
 * past shows whether a key was read since.
 */
export function setLastRead(terminal: string, at: Date): void {
  try {
    utimesSync(terminal, at, statSync(terminal).mtime)
  } catch {
    // The terminal was closed or belongs to another user, so it counts as read.
  }
}

/**
 * Opens a terminal for reading and writing, without making it this process's controlling terminal.
 */
export function openTerminal(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NOCTTY)
}
