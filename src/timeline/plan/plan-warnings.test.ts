import { expect, test } from 'vitest'
import { makeModel } from './plan-model.testing.ts'

test('[sem.V7] bringing a turn back does not warn that this turn is still reverted', () => {
  const model = makeModel({ f: 'a b c d e f' })
  model.prompt('hello')
  model.agent('t1', { f: 'a X c d e f' })
  model.agent('t2', { f: 'a XX c d e f' })
  model.revert('t2')
  model.revert('t1')
  expect(model.revertOff('t2')).toMatchObject({ conflicts: ['f'], warnings: [] })
})
