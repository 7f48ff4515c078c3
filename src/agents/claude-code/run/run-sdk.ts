import type { query } from '@anthropic-ai/claude-agent-sdk'
import { Failure } from '#failure'
import type { Runner } from '../../runner.ts'

export const READY = 'The Claude Agent SDK is there: `chat`, `tui` and the page can talk.'

/** For `doctor`: null when turns can be run. */
export async function whatRunsNeed(): ReturnType<Runner['missing']> {
  try {
    await loadSdk()
    return null
  } catch {
    return {
      what: 'The Claude Agent SDK is not there: nothing can be said to the agent from Retake.',
      hint: '`npm install @anthropic-ai/claude-agent-sdk` beside Retake.',
    }
  }
}

/** The Agent SDK is a third of a gigabyte: it is brought by who wants to run the agent. */
export async function loadSdk(): Promise<{ query: typeof query }> {
  try {
    // To learn which C library there is, it has Node describe this process; that looks up the name
    // of every connection's other end, waits for the name server, and so for the network.
    Object.assign(process.report, { excludeNetwork: true })
    return await import('@anthropic-ai/claude-agent-sdk')
  } catch (cause) {
    // The cure is in the sentence: a turn that failed is told without hints.
    throw new Failure(
      'agent-sdk-missing',
      'To run the agent, Retake needs the Claude Agent SDK beside it: `npm install @anthropic-ai/claude-agent-sdk`.',
      { cause },
    )
  }
}
