import { expect, test } from 'vitest'
import { keptInReceipt } from './left-text.ts'

test('[sem.A5] a receipt names the files that a choice left alone, and who changed them', () => {
  const session = '11111111-1'
  const receipt = { session, filesReverted: ['merged'], filesRemoved: ['gone'] }
  const keptBy = [{ path: 'theirs', session, turn: 2 }]
  expect(keptInReceipt({ ...receipt, filesKept: ['merged', 'mine', 'theirs'], keptBy })).toEqual([
    'Left as you have it: mine',
    'Left as turn 2 has it: theirs',
  ])
})
