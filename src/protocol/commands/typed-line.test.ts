import { expect, test } from 'vitest'
import { verbOf, verbsOn, type VerbName } from './command.ts'
import { readTyped, usageOf } from './typed-line.ts'
import { verbs } from './verbs.ts'

test.each<[VerbName, string, object]>([
  ['undo', '', {}],
  ['undo', ' 3 ', { count: 3 }],
  ['undo', '--only files', { only: 'files' }],
  ['undo', '2 --keep-prompt --include-unsure', { count: 2, keepPrompt: true, includeUnsure: true }],
  ['redo', 'all', { all: true }],
  ['redo', '--all', { all: true }],
  ['rewind', '0', { turn: '0' }],
  ['rewind', 'It works', { turn: 'It works' }],
  ['rewind', '--before 3', { turn: '3', before: true }],
  ['rewind', '3 exact', { turn: '3', exact: true }],
  // The only word is the turn, whatever its name is.
  ['rewind', 'exact', { turn: 'exact' }],
  ['revert', '2 off', { turn: '2', off: true }],
  ['switch', 'try JWT', { branch: 'try JWT' }],
  ['switch', 'main --turn 2', { branch: 'main', turn: '2' }],
  ['branch', '3', { turn: '3' }],
  ['branch', '3 Another try', { turn: '3', title: 'Another try' }],
  ['checkpoint', '', {}],
  ['checkpoint', 'It works --turn 2', { name: 'It works', turn: '2' }],
  ['checkpoint', ' --turn 2', { turn: '2' }],
])('[W1] `%s %s` is parsed', (verb, typed, given) => {
  expect(readTyped(verb, typed)).toEqual({ verb, ...given })
})

test.each<[VerbName, string]>([
  ['undo', 'x'],
  ['undo', '0'],
  ['undo', '-1'],
  ['undo', '1 2'],
  ['undo', '1234567'],
  ['undo', '--only'],
  ['undo', '--only all'],
  ['undo', '--nothing'],
  ['back', '1'],
  ['rewind', ''],
  ['rewind', '--before'],
  ['switch', ''],
  ['branch', ''],
])('[W1] `%s %s` is refused instead of guessed', (verb, typed) => {
  expect(readTyped(verb, typed)).toBeNull()
})

test('[W1] each verb has a usage line', () => {
  expect(verbsOn('slash').map((verb) => usageOf(verb))).toMatchInlineSnapshot(`
    [
      "/undo [N]",
      "/redo [N] [all]",
      "/back",
      "/rewind TURN",
      "/revert TURN [off]",
      "/switch BRANCH [--turn TURN]",
      "/branch TURN [TITLE]",
      "/checkpoint [NAME] [--turn TURN]",
    ]
  `)
})

test('[W1] no two verbs have the same spelling on the command line', () => {
  const spelt = (Object.keys(verbs) as VerbName[])
    .map(verbOf)
    .filter(({ words }) => words !== '')
    .map(({ words, flag = '' }) => `${words} ${flag}`)
  expect(new Set(spelt).size).toBe(spelt.length)
})
