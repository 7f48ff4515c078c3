import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { boxOf, supervised } from './supervised.ts'

const lastLine = (screen: string): string => screen.split('\n').at(-1)!

test('[sem.C2] a reopened Claude Code has the permission mode and the model that the user chose inside', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const tui = await supervised(s, agent, ['--model', 'sonnet'])
  const say = async (name: string): Promise<unknown> => {
    model.on(name, [`did ${name}.`])
    await tui.submit(name)
    await tui.waitFor(new RegExp(`did ${name}\\.`))
    return model.requests.at(-1)!.body['model']
  }
  const undo = async (name: string): Promise<void> => {
    await tui.submit('/retake:undo')
    await tui.waitFor((screen) => boxOf(screen) === name && !screen.includes(`did ${name}.`))
    await tui.clear(name)
  }
  const chooseModel = async (command: string): Promise<void> => {
    await tui.submit(command)
    await tui.waitFor(/Yes, switch/)
    // The dialog ignores keys right after it has opened.
    await sleep(700)
    await tui.key('enter')
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
  expect(await say('T3')).toMatch(/haiku/)
  await cycleTo('accept edits on')
  await undo('T3')
  await tui.waitFor(/accept edits on/)
  // A second one: no row since the first restart tells the model.
  await undo('T2')
  await tui.waitFor(/accept edits on/)
  expect(await say('T4')).toMatch(/haiku/)

  // The way back to bypassing permissions is still open.
  await cycleTo('bypass permissions on')
  await undo('T4')
  await tui.waitFor(/bypass permissions on/)
  await tui.exit()
})
