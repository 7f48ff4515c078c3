import { findAgent } from '../connection/agents.ts'
import type { VoiceCall } from '#protocol'
import { failureFrom } from '../connection/connection.ts'
import { carryOut, type Desk, type Outcome } from './carry-out.ts'
import { parseCommand } from './parse-command.ts'

/** What was asked for last, and what came of it. */
export interface Taken {
  readonly tool: VoiceCall['tool'] | null
  readonly outcome: Outcome
}

/** A typed command, from its words to its outcome. Both are in the voice log before they are seen. */
export async function takeTyped(words: string, desk: Desk): Promise<Taken> {
  const parsed = parseCommand(words, (await findAgent(undefined, desk.client)).short)
  const told = (): Promise<void> => desk.log('you', words.trim())
  if (parsed.kind === 'call') return takeCall(parsed.call, desk, told)
  return logged(desk, told, null, () =>
    Promise.resolve({ kind: 'failed', says: parsed.says } as const),
  )
}

/**
 * A call of the speech model, or of a typed command. What was said so far goes into the log before
 * anything is done: what is done may take the page somewhere else, or fail.
 */
export function takeCall(call: VoiceCall, desk: Desk, flush: () => Promise<void>): Promise<Taken> {
  return logged(desk, flush, call.tool, () => carryOut(call, desk))
}

async function logged(
  desk: Desk,
  flush: () => Promise<void>,
  tool: Taken['tool'],
  act: () => Promise<Outcome>,
): Promise<Taken> {
  try {
    await flush()
  } catch (error) {
    return { tool, outcome: { kind: 'failed', says: failureFrom(error).message } }
  }
  const outcome = await act()
  // It was done, and that is what is told, also when the log cannot be written any more.
  await desk.log('retake', outcome.says).catch(() => {})
  return { tool, outcome }
}
