import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Handles keys pressed anywhere on the page. Listens from the commit that draws what the keys act
 * on: an effect runs after painting, and keys pressed until then would be lost.
 */
export function useKeyDown(onKey: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKey)
  useLayoutEffect(() => {
    const since = performance.now()
    const listen = (event: KeyboardEvent): void => {
      // The key that opened a dialog must not act in it.
      if (event.timeStamp >= since) handle(event)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
