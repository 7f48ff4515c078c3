import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from '../ground/index.ts'
import { readSession } from './read-session.ts'
import { liveProcesses } from './session-position.ts'

/** The agent buffers its rows for a tenth of a second; a busy machine takes longer. */
const BUFFERED_MS = 300
const ANSWERED_MS = 1000
const POLL_MS = 50

/**
 * Waits until an agent that has just become idle has written its last turn. Otherwise an undo would
 * miss the turn's edits, or undo the turn before it.
 */
export async function waitForRows(machine: Machine, session: string): Promise<void> {
  const now = machine.now().getTime()
  const idleMs = Math.min(
    ...liveProcesses(machine, session).map(({ status, statusSince }) =>
      status === 'idle' && statusSince !== null ? now - statusSince : Infinity,
    ),
  )
  if (idleMs < 0 || idleMs > ANSWERED_MS) return
  await sleep(Math.max(0, BUFFERED_MS - idleMs))
  for (let waited = idleMs; waited < ANSWERED_MS; waited += POLL_MS) {
    if (readSession(machine, { session, project: null }).open.isAnswered()) return
    await sleep(POLL_MS)
  }
}
