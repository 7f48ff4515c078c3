import { findAgent } from '../connection/agents.ts'
import type { VoiceCall } from '#protocol'
import { failureFrom } from '../connection/connection.ts'
import { carryOut, type Desk, type Outcome } from './carry-out.ts'
import { parseCommand } from './parse-command.ts'

/** The last command and its outcome. */
export interface Taken {
  readonly tool: VoiceCall['tool'] | null
  readonly outcome: Outcome
}

/** Runs a typed command. Its words and its outcome are logged before they are shown. */
export async function takeTyped(words: string, desk: Desk): Promise<Taken> {
  const parsed = parseCommand(words, (await findAgent(undefined, desk.client)).short)
  const told = (): Promise<void> => desk.log('you', words.trim())
  if (parsed.kind === 'call') return takeCall(parsed.call, desk, told)
  return logged(desk, told, null, () =>
    Promise.resolve({ kind: 'failed', says: parsed.says } as const),
  )
}

/**
 * Runs a call of the speech model, or of a typed command. What was said so far is logged first,
 * because the action may fail or take the page somewhere else.
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
  // The action is done, so report it even if the log can no longer be written.
  await desk.log('retake', outcome.says).catch(() => {})
  return { tool, outcome }
}
