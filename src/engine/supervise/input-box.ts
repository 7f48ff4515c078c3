import { lastReadFrom, setLastRead, statPath } from '#disk'
import { findSessionFile, type Machine } from '../ground/index.ts'
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

/** The terminal answers the agent's questions while it starts, and these answers are read too. */
const STARTING_MS = 3000

export function mayHoldText(machine: Machine, { tty, process, isFirst }: Supervised): boolean {
  const read = tty === null ? null : lastReadFrom(tty)
  if (read === null) return true
  if (read <= IS_EMPTY_MS) return false
  const written = statPath(findSessionFile(machine, process.session)?.path ?? '')?.mtimeMs ?? 0n
  const isUntouched = isFirst && Number(written) < process.startedAt
  return !isUntouched || read > process.startedAt + STARTING_MS
}

/** Called when the agent has started again: its box holds nothing that the user typed. */
export function noteEmptyBox({ tty }: Supervised): void {
  if (tty !== null) setLastRead(tty, EMPTY)
}
