import { expect, test } from 'vitest'
import { EXAMPLES, parseCommand } from './parse-command.ts'

test.each([
  ['go back', { tool: 'go_back' }],
  ['  Back. ', { tool: 'go_back' }],
  ['go back but keep the files', { tool: 'go_back' }],
  ['go back, files only', { tool: 'undo', turns: 1, only: 'files' }],
  ['go back two turns but keep the files', { tool: 'undo', turns: 2, only: 'chat' }],
  ['go back two turns', { tool: 'undo', turns: 2 }],
  ['undo', { tool: 'undo' }],
  ['take it back', { tool: 'undo' }],
  ['undo 3', { tool: 'undo', turns: 3 }],
  ['undo the last turn', { tool: 'undo', turns: 1 }],
  ['Undo the last three turns only files', { tool: 'undo', turns: 3, only: 'files' }],
  ['undo a couple of turns and keep the conversation', { tool: 'undo', turns: 2, only: 'files' }],
  ['undo, chat only', { tool: 'undo', turns: 1, only: 'chat' }],
  ['redo', { tool: 'redo' }],
  ['redo all', { tool: 'redo', all: true }],
  ['go forward two steps', { tool: 'redo', turns: 2 }],
  ['rewind to turn 3', { tool: 'rewind', turn: 3 }],
  ['go back to turn seven', { tool: 'rewind', turn: 7 }],
  [
    'go back to before turn 2 but keep the files',
    { tool: 'rewind', turn: 2, before: true, only: 'chat' },
  ],
  ['rewind to the checkpoint “It works”', { tool: 'rewind', turn: 'It works' }],
  ['go to the start', { tool: 'rewind', turn: 1 }],
  ['switch to try JWT', { tool: 'switch_branch', branch: 'try JWT' }],
  ['go to branch main', { tool: 'switch_branch', branch: 'main' }],
  ['checkpoint', { tool: 'checkpoint' }],
  ['set a checkpoint called Before the move', { tool: 'checkpoint', name: 'Before the move' }],
  ['where am I?', { tool: 'status' }],
  ['tell the agent to go back to md5', { tool: 'converse', prompt: 'go back to md5' }],
  ['prompt: Undo nothing', { tool: 'converse', prompt: 'Undo nothing' }],
  ['yes', { tool: 'answer_approval', allow: true }],
  ['always allow', { tool: 'answer_approval', allow: true, always: true }],
  ['no', { tool: 'answer_approval', allow: false }],
  ['no, use git rm', { tool: 'answer_approval', allow: false, reason: 'use git rm' }],
])('[G10] “%s” means %j', (typed, call) => {
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

test('[G10] every example that is offered is understood', () => {
  expect(EXAMPLES.map((typed) => parseCommand(typed).kind)).toEqual(EXAMPLES.map(() => 'call'))
})
