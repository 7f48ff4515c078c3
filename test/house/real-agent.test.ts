import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import {
  agent as delegate,
  bash,
  notebookEdit,
  read,
  scriptedModel,
  write,
} from '../model/index.ts'
import { scene } from '../scene.ts'

test('[house] a run through the SDK is a session like any other', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [write('a.txt', '1\n'), 'done'])

  const kinds: string[] = []
  let sessionId = ''
  for await (const message of agent.sdk({ prompt: 'T1' })) {
    kinds.push(message.type)
    if (message.type === 'result') sessionId = message.session_id
  }
  await agent.prompt('T2', { resume: sessionId })

  expect(kinds.at(-1)).toBe('result')
  expect(await s.files()).toEqual({ 'a.txt': '1\n' })
  expect(model.userTexts()).toEqual(['T1', 'T2'])
  const messages = await agent.sdkCall<{ type: string }[]>('getSessionMessages', sessionId, {
    dir: s.project,
  })
  expect(messages.map(({ type }) => type)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
})

test('[house] a streamed SDK run takes a second prompt and an interrupt', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T2', [{ blocks: ['half'], hang: 'after' }])

  const second = Promise.withResolvers<void>()
  const last = Promise.withResolvers<void>()
  const say = (content: string): SDKUserMessage => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
  })
  const run = agent.sdk({
    stream: (async function* () {
      yield say('T1')
      await second.promise
      yield say('T2')
      // The SDK hangs up when the stream ends, and an interrupt would get no answer.
      await last.promise
    })(),
  })
  const results: string[] = []
  for await (const message of run) {
    if (message.type !== 'result') continue
    results.push(message.subtype)
    if (results.length === 2) break
    second.resolve()
    await model.seen('T2')
    await model.hanging()
    await run.interrupt()
  }

  last.resolve()

  expect(results).toEqual(['success', 'error_during_execution'])
  expect(await (await model.seen('T2')).ended).toBe('aborted')
})

test('[house] a prompt typed on the real screen is answered there, and the session resumes', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1 make a file', [write('a.txt', '1\n'), 'The file is there.'])

  const tui = await agent.interactive()
  await tui.submit('T1 make a file')
  await tui.waitFor(/The file is there\./)
  expect(await tui.exit()).toBe(0)

  const again = await agent.interactive({ resume: tui.sessionId })
  expect(again.screen()).toContain('The file is there.')
  await again.submit('T2')
  await again.waitFor(/● ok/)
  await again.exit()

  expect(model.userTexts()).toEqual(['T1 make a file', 'T2'])
  expect(await s.files()).toEqual({ 'a.txt': '1\n' })
  expect(await agent.sessions()).toEqual([tui.sessionId])
  expect(model.outside).toEqual([])
})

test('[house] Esc interrupts the answer, and a message typed meanwhile joins the turn', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [bash('until [ -e go ]; do sleep 0.05; done'), 'went on'])
  model.on('T2', [{ blocks: ['half an answer'], hang: 'after' }])

  const tui = await agent.interactive()
  await tui.submit('T1')
  await tui.waitFor(/until/)
  await tui.submit('hurry')
  await s.write('go', '')
  await tui.waitFor(/went on/)
  await tui.submit('T2')
  await tui.waitFor(/half an answer/)
  await tui.key('escape')
  await tui.waitFor(/Interrupted/)
  await tui.submit('T3')
  await tui.waitFor(/● ok/)
  await tui.exit()

  expect(model.conversation()).toEqual([
    'user: T1',
    'assistant: use Bash until [ -e go ]; do sleep 0.05; done',
    'user: result (Bash completed with no output)',
    'user: (while working) hurry',
    'assistant: went on',
    'user: T2',
    'assistant: half an answer',
    'user: [Request interrupted by user]',
    'user: T3',
  ])
  expect(await (await model.seen('T2')).ended).toBe('aborted')
})

test('[house] subagents and notebooks follow the script, apart from the main conversation', async () => {
  await using s = await scene({ files: { 'n.ipynb': notebook('1') } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [
    read('n.ipynb'),
    [notebookEdit('n.ipynb', 'c1', '2')],
    delegate('sub work'),
    'done',
  ])
  model.on('sub work', [write('sub.txt', 'sub\n'), 'sub done'])

  const { result } = await agent.prompt('T1')

  expect(result).toBe('done')
  expect(model.requests.map(({ prompt }) => prompt)).toEqual(['T1', 'T1', 'T1', 'T1'])
  expect(model.log.filter(({ kind }) => kind === 'subagent').map(({ prompt }) => prompt)).toEqual([
    'sub work',
    'sub work',
  ])
  expect(await s.read('sub.txt')).toBe('sub\n')
  expect(JSON.parse(await s.read('n.ipynb'))).toMatchObject({ cells: [{ source: '2' }] })
})

test('[house] headless checkpoints are kept when they are asked for', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [[read('a.txt')], write('a.txt', '2\n'), 'done'])

  const { sessionId } = await agent.prompt('T1', { checkpointing: true })

  const { rows, path } = await agent.transcript(sessionId)
  expect(path.startsWith(s.claudeDir)).toBe(true)
  expect(rows.filter(({ type }) => type === 'file-history-delta')).toHaveLength(1)
})

function notebook(source: string): string {
  const cell = { cell_type: 'code', id: 'c1', source, metadata: {}, outputs: [] }
  const whole = { cells: [{ ...cell, execution_count: null }], metadata: {}, nbformat: 4 }
  return JSON.stringify({ ...whole, nbformat_minor: 5 })
}
