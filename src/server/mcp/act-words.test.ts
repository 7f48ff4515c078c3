import { expect, test } from 'vitest'
import { add, choose, command, drop } from '#failure'
import { inTools } from './tool-words.ts'
import { inRequest } from '#protocol'

test('remedies for requests name options as fields of the body', () => {
  expect(inRequest(add('only', 'files'))).toBe('send `"only": "files"`')
  expect(inRequest(add('confirmed'))).toBe('send `"confirmed": true`')
  expect(inRequest(drop('whole', 'keepPrompt'))).toBe('leave out `"whole"` and `"keepPrompt"`')
  expect(inRequest(choose)).toContain('POST /api/plans/PLAN/apply')
})

test('remedies for a model name its tools, or what to ask the user for', () => {
  expect(inTools(command('undo'))).toBe('call plan_undo')
  expect(inTools(command('check'))).toBe('ask the user to run `retake check` in a terminal')
  expect(inTools(add('only', 'chat'))).toBe('plan it with only: "chat"')
  expect(inTools(add('whole'))).toContain('ask the user to use the command line')
})
