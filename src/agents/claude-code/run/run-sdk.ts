import type { query } from '@anthropic-ai/claude-agent-sdk'
import { Failure } from '#failure'
import type { Runner } from '../../runner.ts'

export const READY = 'The Claude Agent SDK is installed: Retake can run the agent.'

/** For `doctor`: null if turns can be run. */
export async function runRequirements(): ReturnType<Runner['missing']> {
  try {
    await loadSdk()
    return null
  } catch {
    return {
      what: 'The Claude Agent SDK is not installed, so Retake cannot run the agent.',
      hint: 'Run `npm install @anthropic-ai/claude-agent-sdk` beside Retake.',
    }
  }
}

/**
 * The Agent SDK has a third of a gigabyte, so users install it only if they want to run the agent.
 */
export async function loadSdk(): Promise<{ query: typeof query }> {
  try {
    // To detect the C library, the SDK requests a process report. By default that resolves the name
    // of every peer, and waits for the network.
    Object.assign(process.report, { excludeNetwork: true })
    return await import('@anthropic-ai/claude-agent-sdk')
  } catch (cause) {
    // The remedy is part of the message: a failed turn is shown without hints.
    throw new Failure(
      'agent-sdk-missing',
      'To run the agent, Retake needs the Claude Agent SDK beside it: `npm install @anthropic-ai/claude-agent-sdk`.',
      { cause },
    )
  }
}
