import { setFlagsFromString } from 'node:v8'

/**
 * Runs something that makes much garbage without letting the young generation of the heap grow: V8
 * gives its pages back hours later, and a process that watches would keep a hundred megabytes.
 */
export function withSmallHeap<T>(act: () => T): T {
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return act()
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}
