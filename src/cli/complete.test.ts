import { expect, test } from 'vitest'
import { complete, type Known } from './complete.ts'
import { program } from './program.ts'

const one = (value: string) => [{ value, about: '' }]
const known: Known = {
  tree: () => null,
  sessions: () => [],
  operations: () => one('12'),
  stash: () => one('3'),
  lost: () => one('5ed596ee'),
  settings: () => one('confirm'),
}

test.for([
  ['op undo ', ['12'], false],
  ['op undo 9', [], false],
  ['stash show ', ['3'], false],
  ['settings set ', ['confirm'], false],
  ['settings set confirm ', ['on', 'off'], false],
  ['rescue 5', ['5ed596ee'], false],
  ['checkpoint ', [], false],
  ['undo ', [], false],
  ['diff ', [], false],
  ['where ', [], true],
  ['restore a.txt ', [], true],
  ['project move ', [], true],
  ['undo --agree ', [], true],
  ['log --files ', [], true],
  ['log --project ', [], true],
  ['-C ', [], true],
  ['-C somewhere op undo ', ['12'], false],
  ['--json --session 5ed5 settings set ', ['confirm'], false],
] as const)(
  '[U1] completion of `%s` offers only valid words, and files only where they are allowed',
  ([line, values, files]) => {
    const found = complete(program(), line.split(' '), known)
    expect([found.candidates.map(({ value }) => value), found.files]).toEqual([values, files])
  },
)
