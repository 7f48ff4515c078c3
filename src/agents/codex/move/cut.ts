import type { TurnId } from '#timeline'
import { parseRolloutName } from '../rows/index.ts'
import type { CodexSession } from '../session/index.ts'
import { rowsOf } from '../steps/index.ts'

/** The end of a conversation: a place in a rollout, and its row's number. */
export interface Cut {
  readonly path: string
  readonly rollout: string
  readonly offset: number
  readonly ordinal: number
}

/** The end of a turn; where the next one on the line begins, if there is one. */
export function cutAfter({ entryOf }: CodexSession, turn: TurnId, next: TurnId | null): Cut | null {
  const { rollout, rows } = entryOf(turn)
  const following = next === null ? null : entryOf(next)
  if (following !== null && following.rollout.path !== rollout.path) {
    const base = following.rollout.outline.meta?.base ?? null
    // Rows without a prompt can be between two turns, and belong to both lines or to one. Beyond the
    // turn's end there is another turn, or at least its prompt.
    const isHere =
      base !== null &&
      base.rollout === idOf(rollout.path) &&
      base.offset > rows.spoke &&
      base.offset <= rows.end
    if (following.rows.parent < 0 && isHere)
      return {
        path: rollout.path,
        rollout: base.rollout,
        offset: base.offset,
        ordinal: base.ordinal,
      }
  }
  return cutAt(rollout.path, rows.end, rows.endOrdinal)
}

/** The end of a turn's prompt, before its answer. */
export function cutAfterPrompt({ entryOf }: CodexSession, turn: TurnId): Cut | null {
  const { rollout, rows } = entryOf(turn)
  const all = rowsOf(rollout.path, rows)
  const asked = all.findIndex(
    ({ row }) =>
      row?.type === 'event_msg' && (row.item === 'UserMessage' || row.kind === 'user_message'),
  )
  const following = asked < 0 ? undefined : all[asked + 1]
  if (following?.row == null) return null
  return cutAt(rollout.path, following.place, following.row.ordinal)
}

function cutAt(path: string, offset: number, ordinal: number | null): Cut | null {
  const rollout = idOf(path)
  return rollout === null || ordinal === null ? null : { path, rollout, offset, ordinal }
}

function idOf(path: string): string | null {
  return parseRolloutName(path.slice(path.lastIndexOf('/') + 1))?.rollout ?? null
}
