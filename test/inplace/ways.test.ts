import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { claudeCode } from '../agent/index.ts'
import { lastToolResult, scriptedModel, tool, write } from '../model/index.ts'
import { cli, scene } from '../scene.ts'
import { boxOf, envWithClaude, supervised } from './supervised.ts'

const lastLine = (screen: string): string => screen.split('\n').at(-1)!

test('[sem.C2] an undo by the TUI, by `/retake:rewind` and by the model’s tools says where Claude Code reopened, and keeps the permission mode and the model that the user chose inside', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const tui = await supervised(s, agent, ['--model', 'sonnet'])
  const say = async (name: string): Promise<unknown> => {
    model.on(name, [write(name, 'x\n'), `did ${name}.`])
    await tui.submit(name)
    await tui.waitFor(new RegExp(`did ${name}\\.`))
    return model.requests.at(-1)!.body['model']
  }
  const reopened = async (name: string): Promise<void> => {
    await tui.waitFor((screen) => boxOf(screen) === name && !screen.includes(`did ${name}.`))
    expect(await s.files()).not.toHaveProperty(name)
  }
  const chooseModel = async (command: string): Promise<void> => {
    await tui.submit(command)
    await tui.waitFor(/Yes, switch/)
    // The dialog ignores keys right after it has opened. Enter in an empty input box does nothing.
    while (/Yes, switch/.test(tui.screen())) {
      await tui.key('enter')
      await tui.waitFor((screen) => !/Yes, switch/.test(screen), { timeoutMs: 300 }).catch(() => {})
    }
    await tui.waitFor(/Set model to/)
  }
  const modeOn = (screen: string): string | undefined => /(?:\S+ )+on\b/.exec(lastLine(screen))?.[0]
  const cycleTo = async (wanted: string): Promise<void> => {
    for (let n = 0; n < 6 && !tui.screen().includes(wanted); n++) {
      const before = modeOn(tui.screen())
      await tui.key('shift-tab')
      await tui.waitFor((screen) => ![before, undefined].includes(modeOn(screen)))
    }
    expect(tui.screen()).toContain(wanted)
  }

  expect(await say('T1')).toMatch(/sonnet/)
  expect(await say('T2')).toMatch(/sonnet/)
  await chooseModel('/model haiku')
  await cycleTo('accept edits on')
  expect(await say('T3')).toMatch(/haiku/)
  const other = new Terminal(s, {
    command: [process.execPath, cli, 'tui'],
    cwd: s.project,
    env: await envWithClaude(s, agent),
  })
  await other.waitFor(/❯.*current/)
  other.press('u')
  await other.waitFor(/conversation: continues after turn 2, where the agent reopens/)
  other.press('y')
  await other.waitFor(/Claude Code reopened at turn 2\./)
  await other.exit()
  await reopened('T3')
  await tui.waitFor(/accept edits on/)

  // A second one: no row since the first restart tells the model, and no prompt the mode.
  await tui.clear('T3')
  await cycleTo('plan mode on')
  await tui.submit('/retake:rewind 1')
  await tui.waitFor(/Claude Code reopened at turn 1\./)
  await reopened('T2')
  await tui.waitFor(/plan mode on/)

  // The way back to bypassing permissions is still open.
  await tui.clear('T2')
  await cycleTo('bypass permissions on')
  expect(await say('T4')).toMatch(/haiku/)
  // The turn that asked is undone with it.
  let told = ''
  model.on('please undo', [
    tool('mcp__plugin_retake_retake__plan_undo', {}),
    ({ messages }) => {
      const plan = JSON.parse(lastToolResult(messages)) as { id: string; reopens: boolean }
      expect(plan.reopens).toBe(true)
      return tool('mcp__plugin_retake_retake__apply_plan', { plan: plan.id })
    },
    ({ messages }) => {
      told = lastToolResult(messages)
      return 'undone it'
    },
  ])
  await tui.submit('please undo')
  await tui.waitFor(/Undid 1 turn\. Claude Code reopened at turn 1\./)
  expect(told).toMatch(/reopen\W+state\W+soon/)
  await reopened('T4')
  await tui.waitFor(/bypass permissions on/)
  await tui.exit()
})
