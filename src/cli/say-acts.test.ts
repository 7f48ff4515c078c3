import { expect, test } from 'vitest'
import type { Command } from 'commander'
import { add, choose, command, drop, remedy, wordRemedy } from '#failure'
import { onCommandLine } from '#protocol'
import { VERBS } from '../remedy.ts'
import { inAgent } from './commands/slash-words.ts'
import { program } from './program.ts'
import { onScreen } from './tui/key-words.ts'

test('every command that a remedy names exists', () => {
  const named = ({ commands }: Command, before = ''): string[] =>
    commands.flatMap((each) => {
      const name = `${before}${each.name()}`
      return [name, ...named(each, `${name} `)]
    })
  const known = named(program())
  expect(VERBS.filter((verb) => !known.includes(verb))).toEqual([])
})

test('the command line shows acts as commands and flags', () => {
  expect(onCommandLine(command('redo', ['2'], { only: 'files' }))).toBe(
    'run `retake redo 2 --only files`',
  )
  expect(onCommandLine(command('check', [], { readData: true }))).toBe(
    'run `retake check --read-data`',
  )
  expect(onCommandLine(command('project move', ['/a b', '/c']))).toBe(
    'run `retake project move "/a b" /c`',
  )
  expect(onCommandLine(add('confirmed'))).toBe('add `--yes`')
  expect(onCommandLine(drop('whole', 'keepPrompt'))).toBe('leave out `--whole` and `--keep-prompt`')
  expect(onCommandLine(choose)).toContain('--on-conflict keep-mine')
})

test('the TUI shows acts as keys, and refers to a terminal for the rest', () => {
  const said = remedy`Undid 1 turn. ${command('op undo', ['12'])} to undo this.`
  expect(wordRemedy(said, onScreen)).toBe('Undid 1 turn. Press o, then u to undo this.')
  expect(onScreen(command('switch', ['BRANCH']))).toBe('type /switch BRANCH')
  expect(onScreen(command('undo', [], { includeUnsure: true }))).toBe('press u, then i')
  expect(onScreen(command('rescue', ['d4e5']))).toBe('run `retake rescue d4e5` in a terminal')
  expect(onScreen(command('redo', [], { only: 'files' }))).toBe('type /redo --only files')
  expect(onScreen(add('whole'))).toBe('type the command again with `--whole`')
})

test('inside the agent, acts are shown as commands of the plugin', () => {
  expect(inAgent('/retake:')(command('redo', ['2']))).toBe('type /retake:redo 2')
  expect(inAgent('/retake:')(command('redo', [], { only: 'files' }))).toBe(
    'type /retake:redo --only files',
  )
  expect(inAgent('/retake:')(command('redo', [], { session: 'd4e5' }))).toContain('in a terminal')
  expect(inAgent('/retake:')(command('log'))).toBe('type /retake:log')
  expect(inAgent('retake ')(command('redo', ['2']))).toBe('type retake redo 2')
  expect(inAgent('/retake:')(command('op undo', ['3']))).toBe(
    'run `retake op undo 3` in a terminal',
  )
})
