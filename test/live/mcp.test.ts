import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import type { Tui } from '../agent/interactive.ts'
import { cli } from '../scene.ts'
import { bash, edit, lastToolResult, tool, write } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { idle, leave, opened, sentToModel } from './opened.ts'

const config = { mcpServers: { retake: { command: process.execPath, args: [cli, 'mcp'] } } }
const args = ['--mcp-config', JSON.stringify(config)]

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    hello: 'hi',
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', 'one', 'eins'), write('b', 'b\n')], 'did T2'],
  },
})

/** The model makes a plan, and applies exactly that plan. */
async function undoByTools(p: Played, tui: Tui): Promise<void> {
  p.model.on('please undo', [
    tool('mcp__retake__plan_undo', { count: 2 }),
    ({ messages }) => {
      const { id } = JSON.parse(lastToolResult(messages)) as { id: string }
      return tool('mcp__retake__apply_plan', { plan: id })
    },
    'undone it',
  ])
  await tui.submit('please undo')
  await tui.waitFor(/undone it/, { timeoutMs: 60_000 })
}

test('[sem.C8] a running turn undoes finished ones through its shell, or previews and applies it by MCP: files now, chat at the end of the session', async () => {
  const p = await session()
  const tui = await opened(p, { resume: p.id, args })
  p.model.on('undo it with the shell', [bash(`${process.execPath} ${cli} undo`), 'did it'])
  await tui.submit('undo it with the shell')
  await tui.waitFor(/● did it/)
  await expectUndone(p, 'undo it with the shell')
  expect(await p.run('redo', '--all')).toMatchObject({
    conversation: 'unchanged',
    filesReverted: ['a', 'b'],
  })

  await undoByTools(p, tui)
  expect(sentToModel(p)).toMatch(/retake\.receipt\/1.*\\"conversation\\+":\\+"pending/)
  await expectUndone(p, 'please undo')
  await leave(p, tui, '/exit')
  expect(await p.status()).toMatchObject({ head: { number: 2 }, pending: null })
  expect(await p.run('redo')).toMatchObject({ filesReverted: ['a', 'b'] })
})

/** T2 is undone by the last turn; the operation's writes are not that turn's. */
async function expectUndone(p: Played, prompt: string): Promise<void> {
  await idle(p)
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await p.files()).not.toHaveProperty('b')
  expect(await p.status()).toMatchObject({ pending: { to: { number: 2 } } })
  expect((await p.log()).at(-1)).toMatchObject({ prompt, files: [] })
}

test('[sem.C8] there are eight tools; only one changes anything, and it needs a plan of its own process', async () => {
  const p = await session()
  const child = p.s.processes.start(process.execPath, [cli, 'mcp'], {
    cwd: p.s.project,
    env: p.s.env,
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  let id = 0
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    const { value } = await lines.next()
    return (JSON.parse(value as string) as { result: Record<string, unknown> }).result
  }
  const use = (name: string, given: object = {}) => call('tools/call', { name, arguments: given })
  const about = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }
  expect(await call('initialize', about)).toMatchObject({ serverInfo: { name: 'retake' } })

  const { tools } = (await call('tools/list', {})) as {
    tools: { name: string; annotations: { readOnlyHint: boolean; destructiveHint?: boolean } }[]
  }
  expect(tools).toHaveLength(8)
  expect(tools.filter(({ annotations }) => !annotations.readOnlyHint)).toMatchObject([
    { name: 'apply_plan', annotations: { destructiveHint: true } },
  ])

  const before = await footprint(p.s)
  expect(await use('list_turns', { limit: 2 })).toMatchObject({
    structuredContent: { turns: [{ prompt: 'T1' }, { prompt: 'T2' }] },
  })
  expect(await use('show_turn', { turn: '2' })).toMatchObject({
    structuredContent: { turn: { prompt: 'T1' }, diffs: [{ path: 'a' }] },
  })
  expect(await use('status')).toMatchObject({ structuredContent: { head: { number: 3 } } })
  expect(await use('show_turn', { turn: '9' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('turn-not-found') }],
  })
  const planned = await use('plan_rewind', { turn: '1' })
  expect(planned).toMatchObject({ structuredContent: { schema: 'retake.plan/1', turns: 2 } })
  expect(await use('plan_redo')).toMatchObject({
    structuredContent: { nothing: expect.stringContaining('Nothing to redo') },
  })
  expect(await use('plan_revert', { turn: '2' })).toMatchObject({
    structuredContent: { files: [{ path: 'a', verb: 'conflict' }] },
  })
  expect(await use('apply_plan', { plan: 'not a plan' })).toMatchObject({ isError: true })
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })

  // No agent has the session open: the conversation moves at once. A second call changes nothing.
  const { id: plan } = planned['structuredContent'] as { id: string }
  const done = await use('apply_plan', { plan })
  expect(done).toMatchObject({ structuredContent: { conversation: 'moved', turnsUndone: 2 } })
  expect(await use('apply_plan', { plan })).toEqual(done)
  child.stdin!.end()
  await once(child, 'exit')
  expect(await p.status()).toMatchObject({ head: { number: 1 }, undone: 2 })
})
