import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { HookEvent, SpoolEvent } from '#agents'
import { claudeCode, type PromptOptions } from '../agent/index.ts'
import { agent as delegate, bash, edit, read, scriptedModel, tool, write } from '../model/index.ts'
import type { ScriptedModel } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene, type Scene } from '../scene.ts'
import { addHooks, hookWorld, kindsOf } from './hook-world.ts'

const hooksOf = (events: readonly SpoolEvent[]): HookEvent[] =>
  events.filter((event): event is HookEvent => event.kind === 'hook')

/** One turn with everything in it. */
async function playTurn(
  s: Scene,
  model: ScriptedModel,
  options: PromptOptions = {},
): Promise<{ kinds: string[]; result: string }> {
  const agent = claudeCode(s, model)
  model.on('T1', [
    [read('a.txt')],
    [edit('a.txt', 'one', 'ONE'), bash('echo shell > b.txt; exit 3')],
    [bash('sleep 0.05; cat a.txt'), bash('cat b.txt'), write('c.txt', '3\n')],
    delegate('sub work'),
    'done',
  ])
  model.on('sub work', [bash('echo sub > sub.txt'), 'sub done'])
  const { sessionId, result, exitCode, stderr } = await agent.prompt('T1', options)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return { kinds: kindsOf((await agent.transcript(sessionId)).rows), result }
}

const project = { files: { 'a.txt': 'one\n' } }

test('[A1] a turn with hooks is the same turn, its transcript has no extra row, and the spool records it', async () => {
  await using plain = await scene(project)
  await using plainModel = await scriptedModel()
  const without = await playTurn(plain, plainModel, { recorded: true })

  await using s = await scene(project)
  await using model = await scriptedModel()
  const world = hookWorld(s)
  addHooks(s)
  const began = BigInt(Date.now() - 10) * 1_000_000n
  const withHooks = await playTurn(s, model)

  expect(withHooks.result).toBe(without.result)
  expect(withHooks.kinds.toSorted()).toEqual(without.kinds.toSorted())
  expect(withHooks.kinds.join()).not.toContain('hook')
  // Steps that only read run in parallel, and either may finish first.
  expect(model.conversation().toSorted()).toEqual(plainModel.conversation().toSorted())
  expect(await s.files()).toEqual(await plain.files())

  const events = world.events()
  const main = hooksOf(events).filter(({ agentId }) => agentId === undefined)
  expect(main.map(({ name, command }) => (command === undefined ? name : `${name}: ${command}`)).toSorted()).toEqual([
    'PostToolUse: cat b.txt',
    'PostToolUse: sleep 0.05; cat a.txt',
    'PostToolUseFailure: echo shell > b.txt; exit 3',
    'PreToolUse: cat b.txt',
    'PreToolUse: echo shell > b.txt; exit 3',
    'PreToolUse: sleep 0.05; cat a.txt',
    'SessionEnd',
    'SessionStart',
    'UserPromptSubmit',
  ]) // prettier-ignore
  const sub = hooksOf(events).filter(({ agentId }) => agentId !== undefined)
  expect(sub.map(({ name }) => name)).toEqual(['PreToolUse', 'PostToolUse', 'SubagentStop'])
  expect(new Set(sub.map(({ agentId }) => agentId)).size).toBe(1)
  expect(main[0]!.name).toBe('SessionStart')
  expect(main.at(-1)!.name).toBe('SessionEnd')
  expect(events[0]!.at).toBeGreaterThan(began)
  expect(events.at(-1)!.at).toBeLessThanOrEqual(BigInt(Date.now()) * 1_000_000n)
  holdTimes(events)
})

/** Each shell ran between the two hooks of its step, for about as long as the agent says. */
function holdTimes(events: readonly SpoolEvent[]): void {
  const hooks = hooksOf(events)
  const stamps = events.filter((event) => event.kind === 'shell')
  const starts = stamps.filter(({ name }) => name === 'start')
  expect(stamps).toHaveLength(2 * starts.length)
  for (const post of hooks.filter(({ name }) => name.startsWith('PostToolUse'))) {
    const pre = hooks.find(
      ({ name, toolUseId }) => name === 'PreToolUse' && toolUseId === post.toolUseId,
    )!
    const inside = starts.filter(({ shell, at }) => {
      const end = stamps.find((stamp) => stamp.name === 'end' && stamp.shell === shell)!.at
      return pre.at <= at && at <= end && end <= post.at
    })
    expect(inside.length).toBeGreaterThan(0)
    expect(post.durationMs).toBeGreaterThanOrEqual(0)
  }
}

test('[A2][A3] interrupts, a prompt typed meanwhile, `!`, background work and the end are recorded as they happen', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const world = hookWorld(s)
  addHooks(s)
  const agent = claudeCode(s, model)
  model.on('T1', [bash('until [ -e go ]; do sleep 0.05; done'), 'went on'])
  model.on('T2', [{ blocks: ['half an answer'], hang: 'after' }])
  model.on('T3', [bash('touch began; sleep 30'), 'not said'])
  model.on('T4', [bash('until [ -e on ]; do sleep 0.02; done', { background: true }), 'started'])

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
  await tui.submit('!echo bang')
  await tui.waitFor(/● ok/)
  // The prompt typed meanwhile is recorded, the `!` command is not: only its shell's stamps are.
  const bang = ['PreToolUse Bash', 'shell start', 'shell end', 'PostToolUse Bash', 'shell start', 'shell end'] // prettier-ignore
  const steps = (): string[] => world.story().filter((event) => !/^Session|^UserPrompt/.test(event))
  await expect.poll(steps).toEqual(bang)
  expect(world.story().filter((event) => event === 'UserPromptSubmit')).toHaveLength(3)

  // The stamps show when an interrupted step and a background step ended.
  await tui.submit('T3')
  await s.run('sh', ['-c', 'until [ -e began ]; do sleep 0.02; done'])
  await tui.key('escape')
  await tui.waitFor(/began[^]*Interrupted/)
  await tui.submit('T4')
  await tui.waitFor(/started/)
  await s.write('on', '')
  // The agent itself reports the end of background work to the model.
  await tui.waitFor(/started[^]*● ok/)
  await tui.submit('/exit')
  await tui.ended()

  // The last hook may outlive the agent.
  await expect.poll(() => world.story().at(-1)).toBe('SessionEnd')
  expect(world.story()[0]).toBe('SessionStart')
  expect(world.story().filter((event) => event.startsWith('Session'))).toHaveLength(2)
  const [, interrupted, behind] = hooksOf(world.events()).filter(
    ({ name }) => name === 'PreToolUse',
  )
  expect(behind).toMatchObject({ background: true })
  expect(interrupted).not.toHaveProperty('background')
  const after = steps().slice(bang.length)
  // The agent kills a shell that does not end soon: on a busy machine before the shell could stamp
  // its end.
  expect(after.slice(0, -4)).toEqual([
    'PreToolUse Bash',
    'shell start',
    ...(after.length === 7 ? ['shell end'] : []),
  ])
  const [called, ...behindIt] = after.slice(-4)
  expect(called).toBe('PreToolUse Bash')
  // The agent reports a background step at once: on a busy machine before its shell has started.
  expect(behindIt.slice(0, 2).toSorted()).toEqual(['PostToolUse Bash', 'shell start'])
  expect(behindIt[2]).toBe('shell end')
  const { rows } = await agent.transcript(tui.sessionId)
  expect(kindsOf(rows).join()).not.toContain('hook')
})

test('[A3] a model error ends the turn without an event; an unknown tool is recorded', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const world = hookWorld(s)
  addHooks(s)
  const agent = claudeCode(s, model)
  await s.write('server.mjs', MCP_SERVER)
  const config = { mcpServers: { odd: { command: 'node', args: ['server.mjs'] } } }
  model.on('T1', [{ error: { status: 400, type: 'invalid_request_error', message: 'no' } }])
  model.on('T2', [tool('mcp__odd__touch', {}), 'done'])
  const args = ['--mcp-config', JSON.stringify(config)]
  await playSession({ s, agent, prompts: ['T1', 'T2'], checkpointing: false, args })
  await expect
    .poll(() => world.story())
    .toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'UserPromptSubmit',
      'PreToolUse mcp__odd__touch',
      'PostToolUse mcp__odd__touch',
      'SessionEnd',
    ])
})

const MCP_SERVER = `
import { createInterface } from 'node:readline'
const results = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'touch', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'touched' }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }))
}
`

test('[A1] a spool that cannot be written does not affect the turn', async () => {
  await using s = await scene(project)
  await using model = await scriptedModel()
  const { spool } = hookWorld(s)
  addHooks(s)
  await rm(spool, { recursive: true })
  await writeFile(spool, 'a file in its place')
  const agent = claudeCode(s, model)
  model.on('T1', [
    [read('a.txt')],
    [edit('a.txt', 'one', 'ONE'), bash('echo shell > b.txt')],
    'done',
  ])
  const { sessionId, result, stderr } = await agent.prompt('T1')
  expect({ result, stderr }).toEqual({ result: 'done', stderr: '' })
  expect(kindsOf((await agent.transcript(sessionId)).rows).join()).not.toContain('hook')
  expect(await s.files()).toEqual({ 'a.txt': 'ONE\n', 'b.txt': 'shell\n' })
  expect(await s.read(spool)).toBe('a file in its place')
})
