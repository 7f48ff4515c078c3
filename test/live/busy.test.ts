import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Tui } from '../agent/interactive.ts'
import { agent as delegate, bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { idle, opened, statusOf } from './opened.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: { hello: 'hi', T1: [edit('a', '1', 'one'), 'did T1'] },
})

test('[sem.C8] a command to Retake is refused while the agent or its subagent works; a background shell does not count as work', async () => {
  const p = await session()
  await p.s.retake('settings', 'set', 'plainUndo', 'on')
  const tui = await opened(p)
  const go = join(p.s.tmp, 'go')
  p.model.on('T2', [bash(`until [ -e ${go} ]; do sleep 0.05; done`), write('b', 'b\n'), 'did T2'])
  await tui.submit('T2')
  await tui.waitFor(/until/)
  await tui.type('undo')
  await tui.key('enter')
  await tui.waitFor(/Wait until it is done, then try again/)
  expect(await p.s.read('a')).toBe('one\n')
  await p.s.write(go, '')
  await tui.waitFor(/did T2/)
  expect(p.model.userTexts()).toEqual(['hello', 'T1', 'T2'])
  await idle(p)
  // Now it works; the text is back in the box.
  await tui.key('enter')
  await tui.waitFor(/Undid 1 turn: 1 file removed\./)
  await tui.clear('undo')
  await say(tui, 'redo', /Redid 1 turn/)
  await tui.clear('redo')
  expect((await p.log()).map(({ prompt }) => prompt)).toEqual(['hello', 'T1', 'T2'])

  // The turn is over, its subagent is not.
  const goOn = join(p.s.tmp, 'go on')
  p.model.on('sub work', [
    bash(`until [ -e '${goOn}' ]; do sleep 0.05; done`),
    write('s', 's\n'),
    'sub done',
  ])
  p.model.on('T3', [delegate('sub work', { background: true }), 'did T3'])
  await tui.submit('T3')
  await tui.waitFor(/did T3/)
  await p.model.seen('sub work')
  await say(tui, 'undo', /did T3[^]*Wait until it is done, then try again/)
  await tui.clear('undo')
  await p.s.write(goOn, '')
  await expect.poll(() => p.files(), { timeout: 60_000 }).toHaveProperty('s')
  // Claude Code itself is notified of the subagent's end and answers.
  await tui.waitFor(/finished[^]*● ok/)
  await idle(p)
  await say(tui, 'undo', /did T3[^]*Undid 1 turn: 1 file removed\./)
  await tui.clear('undo')
  await say(tui, 'redo', /did T3[^]*Redid 1 turn/)
  await tui.clear('redo')

  p.model.on('T4', [bash('exec sleep 300', { background: true }), write('c', 'c\n'), 'did T4'])
  await tui.submit('T4')
  await tui.waitFor(/did T4/)
  await expect.poll(() => statusOf(p), { timeout: 60_000 }).toBe('shell')
  const running = [expect.stringMatching(/still running in the background/)]
  expect(await p.read('undo', '--dry-run')).toMatchObject({ notCovered: running })
  // While the agent waits for a permission, its registry says “busy” and not “shell”.
  await say(
    tui,
    'undo',
    /did T4[^]*Undid 1 turn: 1 file removed\.[^]*still\s+running\s+in\s+the\s+background/,
  )
  expect(await p.files()).not.toHaveProperty('c')
  expect(await p.status()).toMatchObject({ pending: { to: { number: 4 } } })
})

async function say(tui: Tui, word: string, answer: RegExp): Promise<void> {
  await tui.type(word)
  await tui.key('enter')
  await tui.waitFor(answer)
}
