import { expect, test } from 'vitest'
import { add, choose, command, drop } from '#failure'
import { onPage } from './page-words.ts'

test('the page shows acts as what can be clicked', () => {
  expect(onPage(add('only', 'files'))).toBe('choose “Only files”')
  expect(onPage(command('op undo', ['3']))).toBe('open Operations and undo it there')
  expect(onPage(command('redo', [], { only: 'files' }))).toBe('choose Redo and “Only files”')
  expect(onPage(command('switch', ['BRANCH']))).toBe('switch to another branch')
  expect(onPage(choose)).toBe('choose a version for each file')
})

test('the page refers to the command line only for what it cannot do', () => {
  expect(onPage(command('rescue', ['d4']))).toBe('run `retake rescue d4` in a terminal')
  expect(onPage(command('settings set', ['voice', 'on']))).toBe('open Settings')
  expect(onPage(command('settings set', ['voiceKey', '-']))).toContain('in a terminal')
  expect(onPage(drop('exact'))).toBe('use the command line without `--exact`')
})
