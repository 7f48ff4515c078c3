import type { EventView } from '#protocol'
import type { Context } from '../context.ts'
import { openAlone } from './alone.ts'
import type { Hand } from './hand.ts'
import { openServed, type ServedHand } from './served.ts'

export interface Hands {
  /** The server as long as it is there, else this process; looked for whenever it is asked for. */
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
    // What is told before anybody knows who tells it is read all the same, with the first look.
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
