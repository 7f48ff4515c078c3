import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

type List = Virtualizer<HTMLDivElement, Element>

/**
 * A turn whose details come in changes its height, and something has to give way. What is looked at
 * must not: that is the turn that somebody clicked or went to by the keys, and after scrolling the
 * one in the middle. The list by itself would hold the upper edge, and all that is read would move.
 */
export function useHold(scroller: RefObject<HTMLDivElement | null>, virtual: List): void {
  const held = useRef<Element | null>(null)
  useEffect(() => {
    const element = scroller.current!
    const leaving = new AbortController()
    const options = { passive: true, signal: leaving.signal }
    const hold = ({ target }: Event): void => {
      held.current = (target as Element).closest('[data-index]')
    }
    const letGo = (): void => {
      held.current = null
    }
    for (const name of ['pointerdown', 'keydown', 'focusin'])
      element.addEventListener(name, hold, options)
    for (const name of ['wheel', 'touchmove']) element.addEventListener(name, letGo, options)
    return () => leaving.abort()
  }, [scroller])

  useLayoutEffect(() => {
    virtual.shouldAdjustScrollPositionOnItemSizeChange = (item, _, list) =>
      isAbove(item, held.current, list)
  }, [virtual])
}

/** Whether what is looked at stands below an item, and is moved by what that item grows. */
function isAbove({ end }: VirtualItem, held: Element | null, list: List): boolean {
  const offset = list.scrollOffset ?? 0
  // At the very beginning the beginning is what is looked at.
  if (offset <= list.options.paddingStart) return false
  const height = list.scrollRect?.height ?? 0
  const place = held?.isConnected === true ? Number(held.getAttribute('data-index')) : -1
  const kept = list.measurementsCache[place]
  const isInSight = kept !== undefined && kept.end > offset && kept.start < offset + height
  return end <= (isInSight ? kept.start : offset + height / 2)
}
