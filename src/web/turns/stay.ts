import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { TurnView } from './read-line.ts'

/** What somebody looks at: the end, or a turn and how far it is scrolled. */
interface Looked {
  readonly atEnd: boolean
  readonly turn: string | undefined
  readonly into: number
}

/**
 * Keeps what is looked at in its place: the end when a question takes room from the turns or new
 * ones come in, and whatever it is when older turns come in above. The list of items anchors by
 * itself too, but not while a jump of its own is still under way, and then thousands of turns push
 * it aside.
 */
export function useStay(
  scroller: RefObject<HTMLDivElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  turns: readonly TurnView[],
  /** Goes again to where the list began, as long as nobody has moved it; false when somebody has. */
  beginAgain: () => boolean,
): void {
  const looked = useRef<Looked>({ atEnd: false, turn: undefined, into: 0 })
  const known = useRef({ virtual, turns })
  known.current = { virtual, turns }
  useEffect(() => {
    const element = scroller.current!
    const onScroll = (): void => {
      const { virtual: list, turns: shown } = known.current
      const offset = element.scrollTop
      const item = list.getVirtualItems().find(({ end }) => end > offset)
      looked.current = {
        atEnd: list.isAtEnd(60),
        turn: item === undefined ? undefined : shown[item.index]?.id,
        into: offset - (item?.start ?? 0),
      }
    }
    // By hand: the list's own jump goes to where its items ended before the room changed.
    const observer = new ResizeObserver(() => {
      if (looked.current.atEnd) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', onScroll, { passive: true })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [scroller])

  // The list itself sees no new end: what comes after the last turn is its last item, and stays so.
  const last = turns.at(-1)?.id
  useLayoutEffect(() => {
    if (looked.current.atEnd) virtual.scrollToEnd()
  }, [last])

  const first = turns[0]?.id
  const before = useRef(first)
  useLayoutEffect(() => {
    if (before.current === first) return
    before.current = first
    // A jump that was under way still aims at the place that its turn had before.
    if (beginAgain()) {
      const timers = [30, 120, 300, 700].map((wait) => setTimeout(beginAgain, wait))
      return () => timers.forEach(clearTimeout)
    }
    const { atEnd, turn, into } = looked.current
    const place = turns.findIndex(({ id }) => id === turn)
    if (atEnd) virtual.scrollToEnd()
    else if (place >= 0)
      virtual.scrollToOffset((virtual.getOffsetForIndex(place, 'start')?.[0] ?? 0) + into)
  }, [first])
}
