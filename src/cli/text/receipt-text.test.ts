import { expect, test } from 'vitest'
import type { AgentWords } from '#engine'
import type { ReceiptReport } from '#timeline'
import { makePaint } from './paint.ts'
import { receiptText } from './receipt-text.ts'

const paint = makePaint({ colour: false, unicode: true, width: 100 })

function firstLine(more: Partial<ReceiptReport>): string {
  const receipt = {
    operation: 8,
    verb: 'restore',
    session: 'abcdefgh',
    from: null,
    to: { number: 2, id: 't2' },
    branches: [],
    nothing: null,
    turnsUndone: 0,
    turnsRedone: 0,
    filesReverted: [],
    filesRemoved: [],
    conversation: 'unchanged',
    left: [],
    filesKept: [],
    prompt: null,
    ...more,
  } as unknown as ReceiptReport
  return receiptText(receipt, paint, { words: {} as AgentWords }).split('\n')[0]!
}

test('[U1] the receipt of a restore says how many files it restored and removed', () => {
  expect(firstLine({ filesReverted: ['a'] })).toBe('Restored 1 file.')
  expect(firstLine({ filesReverted: ['a', 'b'], filesRemoved: ['c'] })).toBe(
    'Restored 2 files, removed 1.',
  )
  expect(firstLine({ filesRemoved: ['c'] })).toBe('Removed 1 file.')
  expect(firstLine({ filesReverted: ['a', 'b'], marked: [{ path: 'b', line: 3 }] })).toBe(
    'Restored 1 file, conflict markers in 1 file.',
  )
})

test('[U1] a receipt without undone or redone turns says where the session went', () => {
  const filesReverted = ['a']
  expect(firstLine({ verb: 'rewind', filesReverted })).toBe('Went to turn 2: 1 file restored.')
  expect(firstLine({ verb: 'rewind', to: null, filesReverted })).toBe(
    'Went to the start: 1 file restored.',
  )
  expect(firstLine({ verb: 'redo', filesReverted })).toBe(
    'Redid the remaining changes: 1 file changed.',
  )
})
