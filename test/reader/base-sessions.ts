import type { ClaudeCode } from '../agent/claude-code.ts'
import { bash, edit, read, think, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import type { Rounds } from '../operations/played.ts'
import { recallOrPlay } from '../operations/recorded-play.ts'
import { nameRecording } from '../operations/recordings.ts'
import type { Probe } from './probe.ts'
import type { SessionLine } from './variants.ts'

const ANSWERS: Readonly<Record<string, Rounds>> = {
  'T1 create': [
    [think('two files'), 'I write.', write('a.txt', 'one\n'), write('b.txt', 'two\n')],
    'created both',
  ],
  'T2 edit': [edit('a.txt', 'one', 'ONE'), bash('echo hi'), 'edited it'],
  'T3 batch': [
    ['three at once', read('a.txt'), read('b.txt'), read('a.txt')],
    [read('b.txt'), read('a.txt')],
    'read all',
  ],
  'T4 error': [{ error: { status: 400, message: 'no' } }],
  'T5 long': [{ blocks: ['half'], hang: 'after' }],
  'T6 last': ['the end'],
}

/**
 * Two sessions played by the real agent, as a base for variants: six turns with parallel tool
 * calls, a model error and an interrupted answer; and the same after a compaction with one more
 * turn.
 */
export async function playBaseSessions({
  scene: s,
  agent,
  model,
}: Pick<Probe, 'scene' | 'agent' | 'model'>): Promise<
  Record<'plain' | 'compacted', SessionLine[]>
> {
  for (const [prompt, answer] of Object.entries(ANSWERS)) model.on(prompt, answer)
  const play = (prompts: readonly string[], resume?: string): Promise<string> =>
    playSession({
      s,
      agent,
      prompts,
      checkpointing: false,
      ...(resume === undefined ? {} : { resume }),
    })
  const playAll = async (): Promise<string> => {
    const sessionId = await play(['T1 create', 'T2 edit', 'T3 batch', 'T4 error'])
    const interrupt = new AbortController()
    const interrupted = agent.prompt('T5 long', { resume: sessionId, signal: interrupt.signal })
    await model.hanging()
    interrupt.abort()
    await interrupted
    await play(['T6 last'], sessionId)
    return play(['/compact', 'T7 after'], sessionId)
  }
  const sessionId = await recallOrPlay(s, nameRecording({ base: ANSWERS }), playAll)
  const compacted = await linesOf(agent, sessionId)
  const end = compacted.findIndex((line) => JSON.stringify(line).includes('/compact'))
  return { plain: compacted.slice(0, end), compacted }
}

/**
 * Without the agent's request logs, which are most of the bytes and no part of the conversation.
 */
async function linesOf(agent: ClaudeCode, sessionId: string): Promise<SessionLine[]> {
  const { rows } = await agent.transcript(sessionId)
  return rows.filter(({ type }) => !String(type).startsWith('api-request'))
}
