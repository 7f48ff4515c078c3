import { expect, test } from 'vitest'
import { Terminal } from '../agent/terminal.ts'
import { cli } from '../scene.ts'
import { edit, write } from '../model/index.ts'
import { type Played, played } from './played.ts'
import { expectOnly, footprint } from './footprint.ts'

const two = {
  files: { a: '1\n' },
  turns: { hello: 'hi', T1: [[edit('a', '1', 'one'), write('b', 'b\n')], 'done'] },
} as const

function inTerminal(p: Played, ...args: string[]): Terminal {
  const env = { ...p.s.env }
  const command = [process.execPath, cli, ...args, '--session', p.id]
  return new Terminal(p.s, { command, cwd: p.s.project, env, rows: 30, columns: 100 })
}

test('[B9][W5] in a terminal the plan is shown and confirmed; no, Enter and Ctrl-C change nothing', async () => {
  await using p = await played(two)
  const before = await footprint(p.s)
  for (const answer of ['no', 'enter', 'ctrl-c'] as const) {
    const terminal = inTerminal(p, 'undo')
    await terminal.waitFor(/Continue\?/)
    expect(terminal.screen()).toMatch(/Undo 1 turn .*T1.* 3 messages .* 2 files/)
    expect(terminal.screen()).toMatch(/restore +a +\+1 [-−]1/)
    expect(terminal.screen()).toMatch(/delete +b/)
    if (answer === 'no') await terminal.type('no')
    await terminal.key(answer === 'no' ? 'enter' : answer)
    expect(await terminal.ended(), answer).toBe(130)
    expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  }
  const terminal = inTerminal(p, 'undo')
  await terminal.waitFor(/Continue\?/)
  await terminal.type('y')
  await terminal.key('enter')
  await terminal.waitFor(/Undid 1 turn: 1 file restored, 1 removed/)
  expect(await terminal.ended()).toBe(0)
  expect(await p.files()).toMatchObject({ a: '1\n' })
  expect(await p.line()).toEqual(['hello'])

  // A move of the conversation alone asks nothing, and names the command that reverses it.
  await p.run('redo')
  const back = inTerminal(p, 'back')
  await back.waitFor(/Undid 1 turn/)
  expect(await back.ended()).toBe(0)
  expect(back.screen()).not.toMatch(/Continue/)
  expect(await p.status()).toMatchObject({ head: { number: 1 } })
})
