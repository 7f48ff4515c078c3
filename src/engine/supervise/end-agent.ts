import { setTimeout as sleep } from 'node:timers/promises'
import { inspectProcess } from '#agents'
import { Failure } from '#failure'
import type { Reopen } from '#timeline'
import { agentOf, type Machine } from '../ground/index.ts'
import { openHandover } from './handover.ts'
import { mayHoldText, noteEmptyBox } from './input-box.ts'
import { findSupervised, type Supervised } from './supervised.ts'

const POLL_MS = 20
/** How long an agent and its hooks may take to exit on a busy machine. */
export const END_MS = 20_000
const START_MS = 60_000

/**
 * An agent under `retake claude` that Retake has ended. Disposing restarts it unless `reopen` did.
 */
export interface EndedAgent extends Disposable {
  /** Restarts it at the conversation's present turn, and waits until it is ready. */
  reopen(prefill: string | null): Promise<Reopen>
}

type Refused = Extract<Reopen, { state: 'stays' }>

/** Ends the agent so that its conversation can be moved. If it stays, nothing has changed. */
export async function endAgent(machine: Machine, found: Supervised): Promise<EndedAgent | Refused> {
  const { session, pid } = found.process
  const supervise = agentOf(machine, { agent: found.agent }).runner?.supervise
  const plain = supervise?.restart(found.args, { session, prefill: null }) ?? null
  if (!supervise || plain === null) return { state: 'stays', why: 'arguments' }
  const handover = openHandover(machine.disk, found, plain)
  const started = inspectProcess(pid)?.started
  sendTerm(pid)
  if (!(await until(END_MS, () => inspectProcess(pid)?.started !== started))) {
    handover[Symbol.dispose]()
    return { state: 'stays', why: 'not-ended' }
  }
  let isOver = false
  return {
    async reopen(prefill) {
      isOver = true
      // The agent writes the permission mode when it exits.
      const now = supervise.currentOptions(session, found.since)
      handover.go({
        args: supervise.restart(found.args, { session, prefill, now }) ?? plain,
        plain,
      })
      const isBack = await until(START_MS, () => {
        const now = findSupervised(machine, session)?.process
        return now !== undefined && now.pid !== pid && now.status === 'idle'
      })
      handover[Symbol.dispose]()
      if (!isBack) return { state: 'stays', why: 'not-started' }
      noteEmptyBox(found)
      return { state: 'reopened' }
    },
    [Symbol.dispose]() {
      if (isOver) return
      handover.go({ args: plain, plain })
      handover[Symbol.dispose]()
    },
  }
}

function sendTerm(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has already exited.
  }
}

/** Ends an agent in the middle of a turn; null if no supervised agent is busy with the session. */
export async function stopAgent(machine: Machine, session: string): Promise<EndedAgent | null> {
  const found = findSupervised(machine, session)
  if (found === null || found.process.status !== 'busy') return null
  const { name } = agentOf(machine, { agent: found.agent }).words
  const esc = 'Press Esc in its terminal to stop the turn, then undo.'
  if (mayHoldText(machine, found))
    throw new Failure(
      'session-busy',
      `The input box of ${name} may hold text, which would be lost.`,
      {
        hint: esc,
      },
    )
  const ended = await endAgent(machine, found)
  if ('reopen' in ended) return ended
  throw new Failure('session-busy', `${name} could not be ended.`, { hint: esc })
}

export async function until(patienceMs: number, isMet: () => boolean): Promise<boolean> {
  for (const end = performance.now() + patienceMs; !isMet(); await sleep(POLL_MS))
    if (performance.now() > end) return false
  return true
}
