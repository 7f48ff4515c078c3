import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { claudeCode } from '../agent/index.ts'
import { lastToolResult, scriptedModel, tool, write } from '../model/index.ts'
import { cli, scene } from '../scene.ts'
import { boxOf, envWithClaude, supervised } from './supervised.ts'

const mcp = { mcpServers: { retake: { command: process.execPath, args: [cli, 'mcp'] } } }

test('[sem.C2] an undo by the model’s tools, by `/retake:rewind` and by the TUI says where Claude Code reopened', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  for (const name of ['T1', 'T2', 'T3', 'T4']) model.on(name, [write(name, 'x\n'), `did ${name}.`])
  const tui = await supervised(s, agent, ['--mcp-config', JSON.stringify(mcp)])
  const say = async (name: string): Promise<void> => {
    await tui.submit(name)
    await tui.waitFor(new RegExp(`did ${name}\\.`))
  }
  for (const name of ['T1', 'T2', 'T3']) await say(name)

  // The turn that asked is undone with it.
  let told = ''
  model.on('please undo', [
    tool('mcp__retake__plan_undo', {}),
    ({ messages }) => {
      const plan = JSON.parse(lastToolResult(messages)) as { id: string; reopens: boolean }
      expect(plan.reopens).toBe(true)
      return tool('mcp__retake__apply_plan', { plan: plan.id })
    },
    ({ messages }) => {
      told = lastToolResult(messages)
      return 'undone it'
    },
  ])
  await tui.submit('please undo')
  await tui.waitFor(/Undid 1 turn\. Claude Code reopened at turn 2\./)
  expect(told).toMatch(/reopen\W+state\W+soon/)
  await tui.waitFor((screen) => boxOf(screen) === 'T3' && !screen.includes('did T3.'))
  expect(await s.files()).not.toHaveProperty('T3')

  await tui.clear('T3')
  await tui.submit('/retake:rewind 1')
  await tui.waitFor(/Claude Code reopened at turn 1\./)
  await tui.waitFor((screen) => boxOf(screen) === 'T2' && !screen.includes('did T2.'))

  await tui.clear('T2')
  await say('T4')
  const other = new Terminal(s, {
    command: [process.execPath, cli, 'tui'],
    cwd: s.project,
    env: await envWithClaude(s, agent),
  })
  await other.waitFor(/❯.*current/)
  other.press('u')
  await other.waitFor(/conversation: continues after turn 1, where the agent reopens/)
  other.press('y')
  await other.waitFor(/Claude Code reopened at turn 1\./)
  await tui.waitFor((screen) => boxOf(screen) === 'T4' && !screen.includes('did T4.'))
  await other.exit()
  await tui.exit()
})
