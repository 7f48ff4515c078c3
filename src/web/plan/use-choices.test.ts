import { expect, test } from 'vitest'
import { withPlace } from './use-choices.ts'

test('[sem.M7] a choice for one place keeps the others open, or as chosen for the file', () => {
  expect(withPlace(null, 3, 1, 'mark')).toEqual([null, 'mark', null])
  expect(withPlace([null, 'mark', null], 3, 0, 'put-back')).toEqual(['put-back', 'mark', null])
  expect(withPlace('put-back', 2, 0, 'keep-mine')).toEqual(['keep-mine', 'put-back'])
})
