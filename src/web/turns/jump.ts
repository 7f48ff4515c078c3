import { create } from 'zustand'

/** A turn to scroll to now, even if the URL already names it. */
export const useJump = create<{ turn: string | null; count: number }>(() => ({
  turn: null,
  count: 0,
}))

export function jumpTo(turn: string): void {
  useJump.setState(({ count }) => ({ turn, count: count + 1 }))
}
