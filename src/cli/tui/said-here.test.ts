import { expect, test } from 'vitest'
import { saidHere } from './said-here.ts'

test('what the command line says about itself is said of keys and commands on the screen', () => {
  expect(saidHere('Redone 1 turn.\n`retake op undo 12` takes this back.')).toBe(
    'Redone 1 turn.\no lists it; u there takes it back.',
  )
  expect(saidHere('There is no branch x.\nRun `retake branches` to see which there are.')).toBe(
    'There is no branch x.\nb shows which there are.',
  )
  expect(saidHere('`retake switch BRANCH` goes to another one.')).toBe(
    '/switch BRANCH goes to another one.',
  )
  expect(saidHere('Run `retake install`.')).toBe('Run `retake install`.')
})
