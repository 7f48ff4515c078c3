import type { ClaudeCode } from '../agent/claude-code.ts'
import { bash, edit, read, type ScriptedModel, think, write } from '../model/index.ts'
import type { SessionLine } from './variants.ts'

/**
 * Two sessions played by the real agent, to make variants of: six turns with parallel tool calls,
 * an error of the model and an interrupted answer; and the same after a compaction and one more.
 */
export async function playBaseSessions(
  agent: ClaudeCode,
  model: ScriptedModel,
): Promise<Record<'plain' | 'compacted', SessionLine[]>> {
  model.on('T1 create', [
    [think('two files'), 'I write.', write('a.txt', 'one\n'), write('b.txt', 'two\n')],
    'created both',
  ])
  model.on('T2 edit', [edit('a.txt', 'one', 'ONE'), bash('echo hi'), 'edited it'])
  model.on('T3 batch', [
    ['three at once', read('a.txt'), read('b.txt'), read('a.txt')],
    [read('b.txt'), read('a.txt')],
    'read all',
  ])
  model.on('T4 error', [{ error: { status: 400, message: 'no' } }])
  model.on('T5 long', [{ blocks: ['half'], hang: 'after' }])
  model.on('T6 last', ['the end'])

  const { sessionId } = await agent.prompt('T1 create')
  const go = (text: string, signal?: AbortSignal): ReturnType<ClaudeCode['prompt']> =>
    agent.prompt(text, { resume: sessionId, ...(signal ? { signal } : {}) })
  for (const text of ['T2 edit', 'T3 batch', 'T4 error']) await go(text)
  const interrupt = new AbortController()
  const interrupted = go('T5 long', interrupt.signal)
  await model.hanging()
  interrupt.abort()
  await interrupted
  await go('T6 last')
  const plain = await linesOf(agent, sessionId)
  for (const text of ['/compact', 'T7 after']) await go(text)
  return { plain, compacted: await linesOf(agent, sessionId) }
}

/** Without the agent's records of its requests: most of the bytes, and none of the conversation. */
async function linesOf(agent: ClaudeCode, sessionId: string): Promise<SessionLine[]> {
  const { rows } = await agent.transcript(sessionId)
  return rows.filter(({ type }) => !String(type).startsWith('api-request'))
}
