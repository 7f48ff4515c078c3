import { lastReadFrom, setLastRead } from '#disk'
import type { Supervised } from './supervised.ts'

/**
 * Whether the agent's input box may hold text that a restart would lose. The box itself cannot be
 * read: the agent writes it down nowhere, and its screen is the user's terminal. What can be known is
 * whether the agent has read anything from the terminal since the box was last empty. Such a time is
 * set back at each prompt (by the hook, which runs after Enter) and after each restart. Clicks and
 * changes of focus are read like keys, so this errs towards asking.
 */
const EMPTY = new Date('2000-01-01T00:00:00Z')

/** Above what `touch -t` in any time zone can have set. */
const IS_EMPTY_MS = EMPTY.getTime() + 48 * 60 * 60 * 1000

/** The terminal answers the agent's questions while it starts. */
const STARTING_MS = 5000

export function mayHoldText({ tty, process: { startedAt } }: Supervised): boolean {
  const read = tty === null ? null : lastReadFrom(tty)
  if (read === null) return true
  return read > IS_EMPTY_MS && read > startedAt + STARTING_MS
}

/** Called when the agent has just started: its box holds nothing that the user typed. */
export function noteEmptyBox({ tty }: Supervised): void {
  if (tty !== null) setLastRead(tty, EMPTY)
}
