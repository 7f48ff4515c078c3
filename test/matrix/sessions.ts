import { agent as delegate, bash, edit, read, write } from '../model/index.ts'
import type { Player } from './stage.ts'

/** Scripts of sessions, each in a project with the file `a`. */
export const sessions: Readonly<Record<string, (player: Player) => Promise<void>>> = {
  async plain({ model, say }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [write('b', 'b\n'), 'did T2'])
    model.on('T3', [edit('a', 'one', 'three'), 'did T3'])
    for (const prompt of ['T1', 'T2', 'T3']) await say(prompt)
  },

  async 'parallel tools'({ model, say }) {
    model.on('T1', ['hello'])
    model.on('T2', [
      ['three at once', read('a'), write('b', 'b\n'), write('c', 'c\n')],
      [read('b'), edit('a', '1', 'two')],
      'did T2',
    ])
    model.on('T3', [[edit('a', 'two', 'three'), write('b', 'B\n')], 'did T3'])
    for (const prompt of ['T1', 'T2', 'T3']) await say(prompt)
  },

  async subagents({ model, say }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [[delegate('first'), delegate('second')], write('b', 'b\n'), 'did T2'])
    model.on('first', [write('by-first', '1\n'), 'first done'])
    model.on('second', [write('by-second', '2\n'), 'second done'])
    model.on('T3', [edit('a', 'one', 'three'), 'did T3'])
    for (const prompt of ['T1', 'T2', 'T3']) await say(prompt)
  },

  async 'interrupted and queued'({ model, s, onScreen }) {
    model.on('T1', [bash('until [ -e go ]; do sleep 0.05; done; rm go'), 'did T1'])
    model.on('T2', [edit('a', '1', 'two'), { blocks: ['half an answer'], hang: 'after' }])
    model.on('T3', [write('b', 'b\n'), 'did T3'])
    await onScreen(async (tui, turn) => {
      await turn('T1', async () => {
        await tui.submit('T1')
        await tui.waitFor(/until/)
        await tui.submit('hurry')
        await s.write('go', '')
        await tui.waitFor(/did T1/)
      })
      await turn('T2', async () => {
        await tui.submit('T2')
        await tui.waitFor(/half an answer/)
        await tui.key('escape')
        await tui.waitFor(/Interrupted/)
      })
      await turn('T3', async () => {
        await tui.submit('T3')
        await tui.waitFor(/did T3/)
      })
    })
  },

  async 'compacted by hand'({ model, say, command }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [[write('b', 'b\n'), write('c', 'c\n')], 'did T2'])
    model.on('T3', [edit('a', 'one', 'three'), 'did T3'])
    model.on('T4', [edit('a', 'three', 'four'), 'did T4'])
    model.on('T5', ['did T5'])
    for (const prompt of ['T1', 'T2', 'T3']) await say(prompt)
    await command('/compact')
    for (const prompt of ['T4', 'T5']) await say(prompt)
  },

  /** The prompt of T4 is before the summary, its answer after it. */
  async 'compacted by itself'({ model, say, ended }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [[write('b', 'b\n'), write('c', 'c\n')], 'did T2'])
    model.on('T3', [{ blocks: 'did T3', usage: { input_tokens: 5_000_000 } }])
    model.on('T4', [edit('a', 'one', 'four'), 'did T4'])
    model.on('T5', ['did T5'])
    for (const prompt of ['T1', 'T2', 'T3']) await say(prompt)
    ended('did T3')
    for (const prompt of ['T4', 'T5']) await say(prompt)
  },

  async 'compacted twice'({ model, say, command }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [edit('a', 'one', 'two'), 'did T2'])
    model.on('T3', [edit('a', 'two', 'three'), 'did T3'])
    for (const prompt of ['T1', 'T2']) await say(prompt)
    await command('/compact')
    await say('T3')
    await command('/compact')
    await say('T4')
  },

  /**
   * Through the agent's own menu: it keeps T1 and replaces T2 and T3 by a summary; the files stay.
   */
  async 'summarized from here'({ model, onScreen, ended, mark }) {
    model.on('T1', [edit('a', '1', 'one'), 'did T1'])
    model.on('T2', [write('b', 'b\n'), 'did T2'])
    model.on('T3', [edit('a', 'one', 'three'), 'did T3'])
    model.on('T4', [edit('a', 'three', 'four'), 'did T4'])
    await onScreen(async (tui, turn) => {
      for (const prompt of ['T1', 'T2', 'T3'])
        await turn(prompt, async () => {
          await tui.submit(prompt)
          await tui.waitFor(new RegExp(`did ${prompt}`))
        })
      ended('did T3')
      await tui.submit('/rewind')
      await tui.waitFor(/❯ \(current\)/)
      for (const wanted of [/❯ T3/, /❯ T2/]) {
        await tui.key('up')
        await tui.waitFor(wanted)
      }
      await tui.key('enter')
      await tui.waitFor(/4\. Summarize from here/)
      for (let i = 0; i < 3; i++) await tui.key('down')
      await tui.waitFor(/❯ 4\. Summarize from here/)
      await tui.key('enter')
      await tui.waitFor(/Summarized conversation[\s\S]*^─{20,}.*\n❯ T2/m)
      await tui.clear('T2')
      await mark('summary')
      await turn('T4', async () => {
        await tui.submit('T4')
        await tui.waitFor(/did T4/)
      })
    })
  },
}
