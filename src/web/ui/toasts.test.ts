import { expect, test } from 'vitest'
import { timeOf } from './toasts.tsx'

test('[B9] a notice with an undo button stays 20 seconds, a failure or program output until it is closed', () => {
  const action = { label: 'Undo', run: () => {} }
  expect(timeOf({ kind: 'done', title: '', action })).toBe(20_000)
  expect(timeOf({ kind: 'said', title: '' })).toBe(5000)
  expect(timeOf({ kind: 'failed', title: '' })).toBe(Infinity)
  expect(timeOf({ kind: 'said', title: '', text: 'printed' })).toBe(Infinity)
})
