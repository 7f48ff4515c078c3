import { expect, test } from 'vitest'
import { withPlace } from './use-choices.ts'

test('[sem.M7] a choice for one place leaves the others open, or as the choice for the file had them', () => {
  expect(withPlace(null, 3, 1, 'mark')).toEqual([null, 'mark', null])
  expect(withPlace([null, 'mark', null], 3, 0, 'put-back')).toEqual(['put-back', 'mark', null])
  expect(withPlace('put-back', 2, 0, 'keep-mine')).toEqual(['keep-mine', 'put-back'])
})
