import { lastReadFrom, setLastRead, statPath } from '#disk'
import { findSessionFile, type Machine } from '../ground/index.ts'
import type { Supervised } from './supervised.ts'

/**
 * Whether the agent's input box may hold text that a restart would lose. Retake cannot read the
 * box: the agent does not store it, and its screen is the user's terminal. But Retake can see
 * whether the agent has read from the terminal since the box was last empty: the terminal's
 * last-read time is reset at each prompt (by the hook, which runs after Enter) and after each
 * restart. Clicks and focus changes are read like keys, so Retake rather asks once too often.
 */
const EMPTY = new Date('2000-01-01T00:00:00Z')

/** Later than anything `touch -t` can have set, in any time zone. */
const IS_EMPTY_MS = EMPTY.getTime() + 48 * 60 * 60 * 1000

/** While the agent starts, it also reads the terminal's replies to its queries. */
const STARTING_MS = 3000

export function mayHoldText(machine: Machine, { tty, process, isFirst }: Supervised): boolean {
  const read = tty === null ? null : lastReadFrom(tty)
  if (read === null) return true
  if (read <= IS_EMPTY_MS) return false
  const written = statPath(findSessionFile(machine, process.session)?.path ?? '')?.mtimeMs ?? 0n
  const isUntouched = isFirst && Number(written) < process.startedAt
  return !isUntouched || read > process.startedAt + STARTING_MS
}

/** Call this after the agent was restarted: its box has no text of the user's. */
export function noteEmptyBox({ tty }: Supervised): void {
  if (tty !== null) setLastRead(tty, EMPTY)
}
