import type { SessionReport } from '#timeline'
import { findLosses, isFull, type Machine } from '../ground/index.ts'

/** Warns of lost transcripts and a full quota before files or conversation move. */
export function warnOfStorage(machine: Machine, { id }: SessionReport): string[] {
  const losses = findLosses(machine, id).map(({ how, kept, left }) =>
    how === 'gone'
      ? `a transcript of this session was deleted; Retake has a copy (${kept} bytes) to rescue it`
      : `a transcript of this session was ${how === 'shrunk' ? 'cut' : 'rewritten'}: ${left} of ${kept} bytes are left; Retake has a copy of all of it to rescue it`,
  )
  const full = isFull(machine)
    ? [
        'the storage quota is used up, so Retake no longer records what commands do to files; clean up, or raise the quota',
      ]
    : []
  return [...losses, ...full]
}
