import { expect, test } from 'vitest'
import type { LogReport } from '#timeline'
import { logText } from './log-text.ts'
import { makePaint } from './paint.ts'
import { textWidth } from './text-width.ts'

test('[U2] rows with wide characters and joined emoji fit the screen and line up', () => {
  const prompts = [
    '修正处理器并运行测试'.repeat(9),
    '👩‍👩‍👧‍👦 '.repeat(40),
    'plain words '.repeat(20),
    'short',
  ]
  const log = {
    session: { id: 'abcdefgh', title: 'A session' },
    head: 't4',
    turns: prompts.map((prompt, n) => ({
      turn: { id: `t${n + 1}`, prompt, absorbed: [], kind: 'prompt', at: null },
      number: n + 1,
      state: 'active',
      files: [],
      filesState: 'in',
      checkpoints: [],
      commands: [],
      git: [],
      children: 1,
      steps: 2,
      coverage: 'whole-tree',
      editedAfter: [],
    })),
    branches: [{}],
    damage: [],
  } as unknown as LogReport
  const paint = makePaint({ colour: false, unicode: true, width: 80 })
  const rows = logText(log, paint, 0).text.split('\n').slice(2)
  for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(80)
  // Turns of other branches show an id instead of a number.
  const turns = log.turns.map((turn) => ({ ...turn, number: null, turn: { ...turn.turn, id: 'abcdefgh' } })) // prettier-ignore
  const others = logText({ ...log, turns } as unknown as LogReport, paint, 0)
    .text.split('\n')
    .slice(5)
  expect(others).toHaveLength(4)
  for (const row of others) expect(row).toMatch(/ 2 steps$/)
  const columns = rows.slice(0, 3).map((row) => textWidth(row.slice(0, row.indexOf('2 steps'))))
  expect(new Set(columns).size).toBe(1)
})

test('[U2] edits by hand after a turn are one dim line below it', () => {
  const edited = (...paths: string[]) => paths.map((path) => ({ path, change: 'modified' }))
  const turnOf = (number: number, editedAfter: object[]) => ({
    turn: { id: `t${number}`, prompt: `turn ${number}`, absorbed: [], kind: 'prompt', at: null },
    number,
    state: 'active',
    files: [],
    filesState: 'in',
    checkpoints: [],
    commands: [],
    git: [],
    children: 1,
    steps: 0,
    coverage: 'whole-tree',
    editedAfter,
  })
  const log = {
    session: { id: 'abcdefgh', title: 'A session' },
    head: 't3',
    turns: [turnOf(1, edited('a.txt')), turnOf(2, []), turnOf(3, edited('a', 'b', 'c', 'd', 'e'))],
    branches: [{}],
    damage: [],
  } as unknown as LogReport
  const paint = makePaint({ colour: false, unicode: true, width: 60 })
  expect(logText(log, paint, 0).text).toMatchInlineSnapshot(`
    "A session  3 turns · abcdefgh

     ● 1    turn 1
            you edited 1 file afterwards: a.txt
     ● 2    turn 2
     ◉ 3    turn 3                              ← you are here
            you edited 5 files afterwards: a, b, c, 2 more"
  `)
})
