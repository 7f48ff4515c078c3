import { useEffect, useEffectEvent, useState } from 'react'
import { notify } from '../ui/toasts.tsx'

export interface Sending {
  /** Set while the page still loads what sending needs. */
  readonly isEarly: boolean
  readonly isEmpty: boolean
  /** Why the prompt cannot be sent; undefined if it can. */
  readonly why: string | undefined
  readonly act: () => void
}

/**
 * Sends a prompt, or says why it cannot. Users press Enter before the page has loaded what it
 * needs: then it sends as soon as it can, unless the user edits the prompt first.
 */
export function useSend({ isEarly, isEmpty, why, act }: Sending) {
  const [isHeld, setHeld] = useState(false)
  const send = (): void => {
    setHeld(isEarly && !isEmpty)
    if (isEarly || isEmpty) return
    if (why === undefined) act()
    else notify({ kind: 'failed', title: why })
  }
  const sendHeld = useEffectEvent(send)
  useEffect(() => {
    if (isHeld && !isEarly) sendHeld()
  }, [isHeld, isEarly])
  return { send, isHeld, cancel: () => setHeld(false) }
}
