import { readFileSync } from 'node:fs'

/** Open directories between operations. Far below the limit of open files of any machine. */
export const USUALLY_HELD = 256
/** Enough for the directories of a large operation. */
const MOST_HELD = 2048

let known: number | undefined

/** How many directories one operation may hold open: a quarter of the files that may be open. */
export function maxHeld(): number {
  return (known ??= Math.max(USUALLY_HELD, Math.min(MOST_HELD, maxOpenFiles() / 4)))
}

/** 0 without /proc, where the limit is unknown. */
function maxOpenFiles(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const [, soft = '0'] = /^Max open files +(\d+|unlimited)/mu.exec(limits) ?? []
    return soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return 0
  }
}
