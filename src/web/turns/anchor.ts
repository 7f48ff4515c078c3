import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { TurnView } from './read-line.ts'

type List = Virtualizer<HTMLDivElement, Element>
export type Align = 'start' | 'center' | 'auto'

/** What keeps its place on the screen while turns around it load, grow or shrink. */
type Anchor =
  | 'end'
  /** `at`: how far the turn's top is from the top of the list, or where a jump wants it. */
  | { readonly turn: string; readonly at: number | Align }

/** The only way in which the page scrolls the list; the user scrolls it too. */
export interface Anchoring {
  toEnd(): void
  toTurn(turn: string, align: Align): void
}

interface Known {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly virtual: List
  readonly turns: readonly TurnView[]
  /** Index of the head; -1 before the first turn. */
  readonly here: number
  /** Something is being written at the end. */
  readonly follow: boolean
}

interface Press {
  readonly wasFollowing: boolean
  readonly row: Element | null
  /** Where the user sees the row, in the window. */
  readonly top: number
}

/** Pixels from the end within which the list follows a new turn. */
const NEAR = 60
/** Browsers round scroll positions. */
const ROUNDING = 2

/**
 * Keeps one anchor in its place: the end, the turn that was last clicked or reached by a key or a
 * link, or else the turn in the middle. Scrolls the list after each of its changes.
 */
export function useAnchor(known: Known): Anchoring {
  const now = useRef(known)
  now.current = known
  const [keeper] = useState(() => makeKeeper(() => now.current))
  const { scroller, virtual, turns, follow } = known
  useLayoutEffect(() => {
    virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false
  }, [virtual])
  useEffect(() => keeper.listen(scroller.current!), [keeper, scroller])
  const last = turns.at(-1)?.id
  useLayoutEffect(() => keeper.followNear(), [keeper, last, follow])
  useLayoutEffect(() => keeper.settle())
  return keeper
}

function makeKeeper(now: () => Known) {
  let anchor: Anchor = 'end'
  /** The scroll position after the last `settle`; if it differs, the user scrolled. */
  let left = 0
  let isNearEnd = true
  /** A scroll was noticed before its event, which then chooses the next anchor. */
  let isScrolled = false
  let held: Element | null = null
  /** While a pointer is down, what is under it stays, or the click would be lost. */
  let press: Press | null = null

  const endOf = (element: Element): number => element.scrollHeight - element.clientHeight

  function settle(): void {
    const element = now().scroller.current
    if (element === null) return
    const moved = element.scrollTop - Math.min(left, endOf(element))
    if (Math.abs(moved) > ROUNDING) noteScroll(element, moved)
    let wanted = topFor(element)
    if (wanted === null) {
      // The anchored turn is on another branch now.
      anchor = headAnchor()
      wanted = topFor(element)
    }
    if (wanted !== null && Math.abs(wanted - element.scrollTop) >= 1) element.scrollTop = wanted
    left = element.scrollTop
    isNearEnd = endOf(element) - left < NEAR
    if (press !== null) holdPressed(element, press)
  }

  /** Scrolling does not help if the list is at its beginning, or has itself moved. */
  function holdPressed(element: Element, { row, top }: Press): void {
    const rows = element.firstElementChild as HTMLElement
    rows.style.translate = ''
    if (row?.isConnected !== true) return
    const moved = row.getBoundingClientRect().top - top
    if (Math.abs(moved) >= 1) rows.style.translate = `0 ${-moved}px`
  }

  /** A jump ends when its target is shown, and so measured; from then on the turn's top stays. */
  function topFor(element: Element): number | null {
    if (anchor === 'end') return endOf(element)
    const { turn, at } = anchor
    const { virtual, turns } = now()
    const place = turns.findIndex(({ id }) => id === turn)
    const items = virtual.getVirtualItems()
    const item = virtual.measurementsCache[place]
    if (item === undefined) return null
    const top = typeof at === 'number' ? item.start - at : alignedTop(element, item, at)
    const within = Math.max(0, Math.min(top, endOf(element)))
    if (typeof at !== 'number' && items.some(({ index }) => index === place))
      anchor = { turn, at: item.start - within }
    return within
  }

  function headAnchor(): Anchor {
    const { turns, here } = now()
    const head = turns[here]
    return head === undefined || here === turns.length - 1 ? 'end' : { turn: head.id, at: 'center' }
  }

  function alignedTop(
    element: Element,
    { start, size, end }: { start: number; size: number; end: number },
    align: Align,
  ): number {
    const { scrollTop, clientHeight } = element
    if (align === 'start' || size >= clientHeight) return start
    if (align === 'center') return start - (clientHeight - size) / 2
    if (start < scrollTop) return start
    return end > scrollTop + clientHeight ? end - clientHeight : scrollTop
  }

  function noteScroll(element: Element, moved: number): void {
    isScrolled = true
    // Other rows may have changed since; only the anchored turn moved by exactly this.
    if (anchor !== 'end' && typeof anchor.at === 'number')
      anchor = { turn: anchor.turn, at: anchor.at - moved }
    else anchor = choose(element)
  }

  function choose(element: Element): Anchor {
    const { virtual, turns } = now()
    const { scrollTop, clientHeight } = element
    if (endOf(element) - scrollTop <= ROUNDING) return 'end'
    const heldAt = held?.isConnected === true ? Number(held.getAttribute('data-index')) : -1
    const known = virtual.measurementsCache[heldAt]
    const isInSight =
      known !== undefined && known.end > scrollTop && known.start < scrollTop + clientHeight
    // At the very beginning, the beginning stays.
    const isAtStart = scrollTop <= virtual.options.paddingStart
    const middle = isAtStart ? scrollTop : scrollTop + clientHeight / 2
    const item = isInSight ? known : virtual.getVirtualItemForOffset(middle)
    const turn = turns[Math.min(item?.index ?? 0, turns.length - 1)]
    if (item === undefined || turn === undefined) return 'end'
    const { start } = virtual.measurementsCache[turns.indexOf(turn)]!
    return { turn: turn.id, at: start - scrollTop }
  }

  return {
    settle,
    toEnd() {
      anchor = 'end'
      settle()
    },
    toTurn(turn: string, align: Align) {
      anchor = { turn, at: align }
      settle()
    },
    /** Follows a new turn or a starting answer if the end was near. */
    followNear() {
      if (isNearEnd && press === null) anchor = 'end'
    },
    listen(element: HTMLElement): () => void {
      const leaving = new AbortController()
      const options = { passive: true, signal: leaving.signal }
      const onScroll = (): void => {
        if (!isScrolled && Math.abs(element.scrollTop - left) <= ROUNDING) return
        isScrolled = false
        left = element.scrollTop
        isNearEnd = endOf(element) - left < NEAR
        anchor = choose(element)
      }
      const hold = ({ target }: Event): void => {
        held = (target as Element).closest('[data-index]')
        const isJump = anchor !== 'end' && typeof anchor.at !== 'number'
        if (press === null && (isJump || isFollowing())) return
        anchor = chooseHeld(element)
        // Focusing a turn has scrolled to it already, before any scroll event.
        left = element.scrollTop
      }
      const letGo = (): void => {
        held = null
      }
      const rows = element.firstElementChild as HTMLElement
      const onPress = (event: Event): void => {
        const row = (event.target as Element).closest('[data-index]')
        const { top } = (row ?? element).getBoundingClientRect()
        press = { wasFollowing: isFollowing(), row, top }
        // If the rows became shorter than this, the browser would scroll.
        rows.style.minHeight = `${rows.offsetHeight}px`
        hold(event)
      }
      const onRelease = (): void => {
        if (press === null) return
        const follows = press.wasFollowing && now().follow
        press = null
        // The click comes first.
        requestAnimationFrame(() => {
          if (press !== null) return
          rows.style.minHeight = ''
          rows.style.translate = ''
          if (follows) anchor = 'end'
          settle()
        })
      }
      const observer = new ResizeObserver(settle)
      observer.observe(element)
      element.addEventListener('scroll', onScroll, options)
      for (const name of ['keydown', 'focusin']) element.addEventListener(name, hold, options)
      for (const name of ['wheel', 'touchmove']) element.addEventListener(name, letGo, options)
      element.addEventListener('pointerdown', onPress, options)
      for (const name of ['pointerup', 'pointercancel']) addEventListener(name, onRelease, options)
      return () => {
        leaving.abort()
        observer.disconnect()
      }
    },
  }

  function isFollowing(): boolean {
    return anchor === 'end' && now().follow
  }

  /** What a click opens must appear below it, also at the end of the list. */
  function chooseHeld(element: Element): Anchor {
    const place = Number(held?.getAttribute('data-index') ?? -1)
    const item = now().virtual.measurementsCache[place]
    const turn = now().turns[place]
    if (item === undefined || turn === undefined) return choose(element)
    const row = element.querySelector(`[data-index="${place}"]`)
    if (row === null) return { turn: turn.id, at: item.start - element.scrollTop }
    // Where the user sees it: a size that was just measured has not moved the rows yet.
    const top = row.getBoundingClientRect().top - element.getBoundingClientRect().top
    return { turn: turn.id, at: top - element.clientTop }
  }
}
