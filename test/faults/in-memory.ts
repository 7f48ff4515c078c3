import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where thousands of worlds are made and go again: in memory, where that is possible. */
export function inMemory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
