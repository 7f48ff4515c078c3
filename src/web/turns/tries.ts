import { create } from 'zustand'
import { siblingsOf, type Line, type TurnView } from './read-line.ts'

/** The other try that is shown at a turn; one at a time. */
export const useTry = create<{ turn: string | null; shown: string | null }>(() => ({
  turn: null,
  shown: null,
}))

/** Shows the next or previous try at a turn, counted from the one that is shown. */
export function showTry(line: Line, turn: TurnView, by: number): void {
  const now = useTry.getState()
  const from = now.turn === turn.id ? now.shown : turn.id
  const shown = besideTry(siblingsOf(line, turn), from, by)
  if (shown === turn.id) closeTry()
  else useTry.setState({ turn: turn.id, shown })
}

export function closeTry(): void {
  useTry.setState({ turn: null, shown: null })
}

/** The try `by` places further, wrapping around. */
export function besideTry(
  tries: readonly { readonly id: string }[],
  from: string | null,
  by: number,
): string | null {
  const at = tries.findIndex(({ id }) => id === from)
  return tries[(Math.max(at, 0) + by + tries.length) % tries.length]?.id ?? null
}
