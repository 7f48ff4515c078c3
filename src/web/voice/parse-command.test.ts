import { expect, test } from 'vitest'
import { spokenCall, type SpokenCommand } from '#protocol'
import { EXAMPLES, parseCommand } from './parse-command.ts'

test.each([
  ['go back', { verb: 'back' }],
  ['  Back. ', { verb: 'back' }],
  ['go back but keep the files', { verb: 'back' }],
  ['go back, files only', { verb: 'undo', count: 1, only: 'files' }],
  ['go back two turns but keep the files', { verb: 'undo', count: 2, only: 'chat' }],
  ['go back two turns', { verb: 'undo', count: 2 }],
  ['undo', { verb: 'undo' }],
  ['take it back', { verb: 'undo' }],
  ['undo 3', { verb: 'undo', count: 3 }],
  ['undo the last turn', { verb: 'undo', count: 1 }],
  ['Undo the last three turns only files', { verb: 'undo', count: 3, only: 'files' }],
  ['undo a couple of turns and keep the conversation', { verb: 'undo', count: 2, only: 'files' }],
  ['undo, chat only', { verb: 'undo', count: 1, only: 'chat' }],
  ['redo', { verb: 'redo' }],
  ['redo all', { verb: 'redo', all: true }],
  ['go forward two steps', { verb: 'redo', count: 2 }],
  ['rewind to turn 3', { verb: 'rewind', turn: 3 }],
  ['go back to turn seven', { verb: 'rewind', turn: 7 }],
  [
    'go back to before turn 2 but keep the files',
    { verb: 'rewind', turn: 2, before: true, only: 'chat' },
  ],
  ['rewind to the checkpoint “It works”', { verb: 'rewind', turn: 'It works' }],
  ['go to the start', { verb: 'rewind', turn: 1 }],
  ['switch to try JWT', { verb: 'switch', branch: 'try JWT' }],
  ['go to branch main', { verb: 'switch', branch: 'main' }],
  ['checkpoint', { verb: 'checkpoint' }],
  ['set a checkpoint called Before the move', { verb: 'checkpoint', name: 'Before the move' }],
  ['where am I?', { tool: 'status' }],
  ['tell the agent to go back to md5', { tool: 'converse', prompt: 'go back to md5' }],
  ['prompt: Undo nothing', { tool: 'converse', prompt: 'Undo nothing' }],
  ['yes', { tool: 'answer_approval', allow: true }],
  ['always allow', { tool: 'answer_approval', allow: true, always: true }],
  ['no', { tool: 'answer_approval', allow: false }],
  ['no, use git rm', { tool: 'answer_approval', allow: false, reason: 'use git rm' }],
])('[G10] “%s” means %j', (typed, meant) => {
  const call = 'verb' in meant ? spokenCall(meant as SpokenCommand) : meant
  expect(parseCommand(typed)).toEqual({ kind: 'call', call })
})

test.each([
  '',
  'undo everything forever',
  'undo zero turns',
  'undo 0',
  'redo only files',
  'make it blue',
  'go',
])('[G10] “%s” is not understood, and nothing is guessed', (typed) => {
  expect(parseCommand(typed)).toMatchObject({
    kind: 'unclear',
    says: expect.stringContaining('I do not understand') as string,
  })
})

test('[G10] every suggested example is understood', () => {
  expect(EXAMPLES.map((typed) => parseCommand(typed).kind)).toEqual(EXAMPLES.map(() => 'call'))
})
