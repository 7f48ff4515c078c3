import type { ReceiptView } from '#protocol'
import { client } from '../connection/connection.ts'
import { refreshSession } from '../connection/queries.ts'
import type { Line } from '../turns/read-line.ts'
import { tellReceipt } from './tell-receipt.tsx'

/** Where somebody stands who goes back, as the page shows it. */
export interface BackFrom {
  readonly session: string
  readonly line: Line
  readonly project: string | null
  /** Why nothing can be moved now, whether or not a turn runs here. */
  readonly blocked: string | null
  /** A turn runs here: going back stops it and takes it back. */
  readonly running: boolean
}

/** Why there is no way back now; null when there is one. */
export function whyNotBack({ line, running, blocked }: BackFrom): string | null {
  return line.here <= 0 && !running ? 'This is the first turn of the conversation.' : blocked
}

/**
 * One turn of conversation back, at once: what the button does, and the spoken word. Redo brings it
 * again, so nothing is asked.
 */
export async function goBack({ session, line, project, running }: BackFrom): Promise<ReceiptView> {
  const head = line.turns[line.here]?.id
  const receipt = await client().back({
    session,
    ...(head === undefined || running ? {} : { expectHead: head }),
  })
  refreshSession(session, 'everything')
  tellReceipt(receipt, project)
  return receipt
}
