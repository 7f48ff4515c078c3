import { expect, test } from 'vitest'
import { groupKept } from './changed-by.ts'

test('[sem.A5] kept files are grouped by the author of the kept changes; the user’s come first', () => {
  const [own, other] = ['11111111-1', '22222222-2']
  const keptBy = [
    { path: 'a', session: other, turn: 3 },
    { path: 'b', session: own, turn: 2 },
    { path: 'd', session: other, turn: null },
    { path: 'e', session: own, turn: null },
  ]
  expect(groupKept({ filesKept: ['a', 'b', 'c', 'd', 'e'], keptBy }, own)).toEqual([
    [null, ['c']],
    ['another turn', ['e']],
    ['session 22222222', ['d']],
    ['turn 2', ['b']],
    ['turn 3 of session 22222222', ['a']],
  ])
  expect(groupKept({ filesKept: ['c'] }, own)).toEqual([[null, ['c']]])
})
