import type { EventView } from '#protocol'
import type { Context } from '../context.ts'
import { openAlone } from './alone.ts'
import type { Hand } from './hand.ts'
import { openServed, type ServedHand } from './served.ts'

export interface Hands {
  /**
   * The server if it is running, else this process; each call looks again if the server is gone.
   */
  find(): Promise<Hand>
  readonly alone: Hand
  close(): Promise<void>
}

export function openHands(
  context: Context,
  onEvent: (event: EventView, hand: ServedHand) => void,
): Hands {
  const alone = openAlone(context)
  let served: Promise<ServedHand | null> = look()

  async function look(): Promise<ServedHand | null> {
    let hand: ServedHand | null = null
    // Events before `hand` is set can be dropped: the first load reads what they announce.
    hand = await openServed(context, (event) => {
      if (hand !== null) onEvent(event, hand)
    })
    return hand
  }
  return {
    alone,
    async find() {
      const found = await served
      if (found?.isThere === true) return found
      served = look()
      return (await served) ?? alone
    },
    async close() {
      await (await served)?.[Symbol.asyncDispose]()
      await alone[Symbol.asyncDispose]()
    },
  }
}
