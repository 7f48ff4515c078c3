import type { query } from '@anthropic-ai/claude-agent-sdk'
import { Failure } from '#failure'

/** The Agent SDK is a third of a gigabyte: it is brought by who wants to run the agent. */
export async function loadSdk(): Promise<{ query: typeof query }> {
  try {
    return await import('@anthropic-ai/claude-agent-sdk')
  } catch (cause) {
    throw new Failure('agent-sdk-missing', 'To run the agent, Retake needs the Claude Agent SDK.', {
      hint: 'Install it beside Retake: `npm install @anthropic-ai/claude-agent-sdk`.',
      cause,
    })
  }
}
