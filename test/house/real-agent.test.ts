import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { expect, test } from 'vitest'
import { claudeCode, helloSession } from '../agent/index.ts'
import {
  agent as delegate,
  bash,
  notebookEdit,
  read,
  scriptedModel,
  write,
} from '../model/index.ts'
import { scene } from '../scene.ts'

test('[house] a streamed SDK run takes a second prompt and an interrupt, and leaves a normal session; subagents and notebooks follow the script, and checkpoints are kept on request', async () => {
  await using s = await scene({ files: { 'n.ipynb': notebook('1'), 'b.txt': '1\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [write('a.txt', '1\n'), 'done'])
  model.on('T2', [{ blocks: ['half'], hang: 'after' }])
  model.on('T3', [
    [read('n.ipynb'), read('b.txt')],
    [notebookEdit('n.ipynb', 'c1', '2'), write('b.txt', '2\n')],
    delegate('sub work'),
    'did T3',
  ])
  model.on('sub work', [write('sub.txt', 'sub\n'), 'sub done'])

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
      // The SDK disconnects when the stream ends, and would not answer an interrupt.
      await last.promise
    })(),
  })
  const results: string[] = []
  let sessionId = ''
  for await (const message of run) {
    if (message.type !== 'result') continue
    results.push(message.subtype)
    sessionId = message.session_id
    if (results.length === 2) break
    second.resolve()
    await model.seen('T2')
    await model.hanging()
    await run.interrupt()
  }

  last.resolve()

  expect(results).toEqual(['success', 'error_during_execution'])
  expect(await (await model.seen('T2')).ended).toBe('aborted')
  expect(await s.files()).toMatchObject({ 'a.txt': '1\n', 'b.txt': '1\n' })
  const { result } = await agent.prompt('T3', { resume: sessionId, checkpointing: true })
  expect(result).toBe('did T3')
  expect(model.userTexts()).toEqual(['T1', 'T2', '[Request interrupted by user]', 'T3'])
  const messages = await agent.sdkCall<{ type: string }[]>('getSessionMessages', sessionId, {
    dir: s.project,
  })
  expect(messages.map(({ type }) => type).slice(0, 5)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])

  // The subagent's requests are apart from the main conversation.
  const asked = (kind: string): string[] =>
    model.log.filter((each) => each.kind === kind).map(({ prompt }) => prompt)
  expect(asked('main').slice(-4)).toEqual(['T3', 'T3', 'T3', 'T3'])
  expect(asked('subagent')).toEqual(['sub work', 'sub work'])
  expect(await s.files()).toMatchObject({ 'b.txt': '2\n', 'sub.txt': 'sub\n' })
  expect(JSON.parse(await s.read('n.ipynb'))).toMatchObject({ cells: [{ source: '2' }] })
  const { rows, path } = await agent.transcript(sessionId)
  expect(path.startsWith(s.claudeDir)).toBe(true)
  expect(rows.map(({ type }) => type)).toContain('file-history-delta')
})

test('[house] the real TUI answers prompts, Esc interrupts, and a message typed meanwhile joins the turn', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1 make a file', [write('a.txt', '1\n'), 'The file is there.'])
  model.on('T2', [bash('until [ -e go ]; do sleep 0.05; done'), 'went on'])
  model.on('T3', [{ blocks: ['half an answer'], hang: 'after' }])

  const sessionId = await helloSession(s)
  const tui = await agent.interactive({ resume: sessionId })
  expect(tui.screen()).toMatch(/hello[^]*● hi/)
  await tui.submit('T1 make a file')
  await tui.waitFor(/The file is there\./)
  await tui.submit('T2')
  await tui.waitFor(/until/)
  await tui.submit('hurry')
  await s.write('go', '')
  await tui.waitFor(/went on/)
  await tui.submit('T3')
  await tui.waitFor(/half an answer/)
  await tui.key('escape')
  await tui.waitFor(/Interrupted/)
  await tui.submit('T4')
  await tui.waitFor(/● ok/)
  expect(await tui.exit()).toBe(0)

  expect(model.conversation()).toEqual([
    'user: hello',
    'assistant: hi',
    'user: T1 make a file',
    'assistant: use Write a.txt',
    'user: result File created successfully at: a.txt',
    'assistant: The file is there.',
    'user: T2',
    'assistant: use Bash until [ -e go ]; do sleep 0.05; done',
    'user: result (Bash completed with no output)',
    'user: (while working) hurry',
    'assistant: went on',
    'user: T3',
    'assistant: half an answer',
    'user: [Request interrupted by user]',
    'user: T4',
  ])
  expect(await (await model.seen('T3')).ended).toBe('aborted')
  expect(await s.files()).toEqual({ 'a.txt': '1\n', go: '' })
  expect(await agent.sessions()).toEqual([sessionId])
  expect(model.outside).toEqual([])
})

function notebook(source: string): string {
  const cell = { cell_type: 'code', id: 'c1', source, metadata: {}, outputs: [] }
  const whole = { cells: [{ ...cell, execution_count: null }], metadata: {}, nbformat: 4 }
  return JSON.stringify({ ...whole, nbformat_minor: 5 })
}
