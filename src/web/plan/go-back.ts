import type { ReceiptView, StatusView } from '#protocol'
import { untilAccepted } from '../composer/follow-run.ts'
import { client } from '../connection/connection.ts'
import { refreshSession } from '../connection/refresh.ts'
import type { Line } from '../turns/read-line.ts'
import { showReceipt } from './show-receipt.tsx'

/** The state of the page from which the user goes back. */
export interface BackFrom {
  readonly session: string
  readonly line: Line
  readonly project: string | null
  /** Why nothing can be moved now, apart from a turn that going back stops. */
  readonly blocked: string | null
  /** A turn runs here or under `retake claude`; going back stops and undoes it. */
  readonly running: boolean
}

/** Whether a turn runs in a terminal where Retake can stop it. */
export function runsSupervised(status: StatusView | undefined): boolean {
  return status?.live === 'busy' && status.supervised === true
}

/** Why going back is not possible now; null if it is. */
export function whyNotBack({ line, running, blocked }: BackFrom): string | null {
  return line.here <= 0 && !running ? 'This is the first turn of the conversation.' : blocked
}

/**
 * Goes back one turn in the conversation at once; the button and voice both use it. Redo reverses
 * it, so it needs no confirmation.
 */
export async function goBack({ session, line, project, running }: BackFrom): Promise<ReceiptView> {
  const head = line.turns[line.here]?.id
  await untilAccepted(session)
  const receipt = await client().back({
    session,
    ...(head === undefined || running ? {} : { expectHead: head }),
  })
  refreshSession(session, 'everything')
  showReceipt(receipt, project)
  return receipt
}
