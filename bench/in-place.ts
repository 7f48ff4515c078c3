import { claudeCode } from '../test/agent/index.ts'
import { scriptedModel, write } from '../test/model/index.ts'
import { scene } from '../test/scene.ts'
import { boxOf, supervised } from '../test/inplace/supervised.ts'
import { interleave, limit } from './measure.ts'
import type { Measured } from './measured.ts'

const ROUNDS = 9

/**
 * Undo in the same terminal: from Enter after `/retake:undo` until Claude Code shows the earlier
 * turn, with the undone prompt in its input box. The real agent in a pseudo terminal, with hooks.
 */
export async function run(): Promise<Measured> {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const tui = await supervised(s, claudeCode(s, model))
  const say = async (name: string): Promise<void> => {
    model.on(name, [write(name, 'x\n'), `did ${name}.`])
    await tui.submit(name)
    await tui.waitFor(new RegExp(`did ${name}\\.`))
  }
  await say('T1')
  let turn = 'T1'
  const times = await interleave(ROUNDS, {
    undo: {
      async before() {
        turn = `T${Number(turn.slice(1)) + 1}`
        await say(turn)
        await tui.type('/retake:undo')
      },
      async act() {
        await tui.key('enter')
        await tui.waitFor((screen) => boxOf(screen) === turn && !screen.includes(`did ${turn}.`))
      },
      after: () => tui.clear(turn),
    },
  })
  await tui.exit()
  const what = 'from `/retake:undo` until Claude Code shows the earlier turn and the undone prompt'
  return { figures: [limit(what, times.undo, 'ms', 2000)] }
}
