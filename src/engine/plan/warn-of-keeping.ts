import type { SessionReport } from '#timeline'
import { findLosses, isFull, type Machine } from '../ground/index.ts'

/** What a user has to know about what is kept before files or conversation move. */
export function warnOfKeeping(machine: Machine, { id }: SessionReport): string[] {
  const losses = findLosses(machine, id).map(({ how, kept, left }) =>
    how === 'gone'
      ? `a transcript of this session is gone; Retake has its ${kept} bytes (\`retake rescue ${id.slice(0, 8)}\`)`
      : `a transcript of this session was ${how === 'shrunk' ? 'cut' : 'rewritten'}: ${left} of ${kept} bytes are left; Retake has all of them (\`retake rescue ${id.slice(0, 8)}\`)`,
  )
  const full = isFull(machine)
    ? ['the quota is used up: what commands do to files is not seen any more (`retake gc`)']
    : []
  return [...losses, ...full]
}
