import { expect, test } from 'vitest'
import { takeWriter } from '#store'
import { bash, edit, read, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { storeOf } from '../operations/store-of.ts'
import { inputLine, openTui } from './opened-tui.ts'

const session = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    hello: 'hi',
    'edit 世界': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'edited'],
    'make c': [[write('c.txt', 'c\n')], 'made c'],
  },
})

test('[W1][U1][U6] undo two, prompt again with an approval, switch back, and the agent agrees', async () => {
  const p = await session()
  p.model.on('another way', [[bash('echo d > d.txt')], 'made d'])
  p.model.on('hang', [{ blocks: ['half'], hang: 'after' }])
  const t = openTui(p)
  await t.shows(/❯ ← \(current\)/)
  expect(t.turns()).toEqual([
    '● 1 hello',
    '● 2 edit 世界 1 file',
    '◉ 3 make c 1 file',
    '← (current)',
  ])
  // Enter on "(current)" does nothing; the next key does.
  await t.key('enter')
  t.press(':')
  await t.shows(/^> \/$/m)
  await t.enter('undo 2')
  await t.shows(/Press y to continue/)
  expect(t.terminal.screen()).toContain('restore  a.txt')
  expect(t.terminal.screen()).toContain('delete   c.txt')
  // Any other key changes nothing.
  t.press('n')
  await t.shows(/Nothing was changed\./)
  expect(await p.files()).toMatchObject({ 'c.txt': 'c\n' })
  await t.enter('/undo 2')
  await t.shows(/Press y to continue/)
  t.press('d')
  await t.shows(/-TWO/)
  t.press('y')
  await t.shows(/Undid 2 turns: 1 file restored, 1 removed\./)
  await t.shows((screen) => inputLine(screen) === '> edit 世界')
  expect(t.turns()).toEqual([
    '◉ 1 hello',
    '← (current)',
    '◌ 2 edit 世界 1 file undone',
    '◌ 3 make c 1 file undone',
  ])
  expect(await p.s.read('a.txt')).toBe('one\ntwo\nthree\n')

  // The undone prompt is edited, the agent asks, and its answer streams.
  await t.clear()
  await t.enter('another way')
  await t.shows(/Allow [^]*echo d > d\.txt[^]*y yes/)
  t.press('y')
  await t.shows(/made d[^]*Enter send/)
  expect(await p.s.read('d.txt')).toBe('d\n')
  await t.enter('hang')
  await t.shows(/half/)
  await t.key('escape')
  await t.shows(/Stopped\.[^]*Enter send/)
  await t.enter('/undo')
  // A turn without files gets a plan, too.
  await t.shows(/Press y to continue/)
  t.press('y')
  await t.shows((screen) => inputLine(screen) === '> hang')
  await t.clear()

  // The two undone turns are now a branch: switch back, and everything is as it was.
  await t.key('escape')
  await t.shows(/Enter show/)
  t.press('b')
  await t.shows(/Branches\n/)
  await t.shows(/❯ ○ main|❯ . .*main/)
  await t.key('enter')
  await t.shows(/Switch to main, turn 3/)
  t.press('y')
  await t.shows(/Switched to main, turn 3/)
  expect(await p.files()).toMatchObject({ 'a.txt': 'one\nTWO\nthree\n', 'c.txt': 'c\n' })
  expect(Object.keys(await p.files())).not.toContain('d.txt')
  await t.quit()
  expect(await p.sent()).toEqual(['hello', 'edit 世界', 'make c'])
})

test('[F5][sem.M7] a conflict is chosen file by file, and nothing is written before', async () => {
  const p = await session()
  await p.s.write('a.txt', 'one\nTWO, mine\nthree\n')
  const t = openTui(p, { rows: 24, columns: 80 })
  await t.shows(/\(current\)/)
  t.press('kk')
  await t.shows(/❯ ● +2/)
  t.press('u')
  await t.shows(/1 conflict: 1 keep mine, 2 restore old, 3 keep both/)
  t.press('y')
  await t.shows(/Choose for one file first/)
  expect(await p.files()).toMatchObject({ 'a.txt': 'one\nTWO, mine\nthree\n', 'c.txt': 'c\n' })
  t.press('3')
  await t.shows(/Press y to continue/)
  t.press('1')
  await t.shows(/left as it is[^]*Press y to continue/)
  t.press('y')
  await t.shows(/Undid 2 turns/)
  expect(await p.s.read('a.txt')).toBe('one\nTWO, mine\nthree\n')
  expect(Object.keys(await p.files())).not.toContain('c.txt')
  await t.quit()
})

test('[U7] changes made elsewhere appear at once; search, show, operations, usage', async () => {
  const p = await session()
  const t = openTui(p)
  await t.shows(/❯ ← \(current\)/)
  await p.run('undo', '--yes')
  await t.shows(/◌ +3 make c.*undone/)
  await p.say('from elsewhere')
  await t.shows(/◉ +3 from elsewhere/)
  t.press('/世')
  await t.shows((screen) => /❯ ● +2 edit 世界/.test(screen) && !screen.includes('1 hello'))
  await t.key('enter')
  await t.key('enter')
  await t.shows(/Turn 2[^]*> edit 世界[^]*\+TWO/)
  t.press('q')
  await t.key('escape')
  await t.shows(/● +1 hello/)
  t.press('o')
  await t.shows(/Operations\n[^]*undo/)
  t.press('q')
  t.press('c')
  await t.shows(/> \/checkpoint +--turn 2/)
  t.press('good')
  await t.shows(/> \/checkpoint good --turn 2/)
  await t.key('enter')
  await t.shows(/Turn 2 is now checkpoint “good”/)
  await t.shows(/⚑ good/)
  await t.enter('/redo')
  await t.shows(/Nothing to redo/)
  t.press('/undo many')
  await t.shows(/> \/undo many/)
  await t.key('enter')
  await t.shows(/Usage: \/undo \[N\]/)
  await t.clear()
  t.press('/rew')
  await t.key('tab')
  await t.shows(/^> \/rewind/m)
  await t.quit()
})

test('[F11][B11] an operation can be stopped while it is applied, and everything is as it was', async () => {
  const p = await session()
  const t = openTui(p)
  await t.shows(/❯ ← \(current\)/)
  const before = await p.files()
  t.press('u')
  await t.shows(/Press y to continue/)
  // Another process holds the lock; this one waits up to five seconds.
  using store = storeOf(p.s)
  const held = await takeWriter(store)
  t.press('y')
  await t.key('escape')
  await t.shows(/Stopped\. Everything is as it was\./)
  expect(held.isHeld).toBe(true)
  held.release()
  expect(await p.files()).toEqual(before)
  t.press('u')
  await t.shows(/Press y to continue/)
  t.press('y')
  await t.shows(/Undid 1 turn/)
  await t.quit()
})
