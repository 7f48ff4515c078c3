import { expect, test } from 'vitest'
import { makeModel } from './plan-model.testing.ts'

test('[sem.M7] after a redo of two turns by put-back, reverting one keeps the line between them', () => {
  const model = makeModel({ f: 'a b c d e f' })
  model.prompt('hello')
  model.agent('t1', { f: 'A a b c d e f' })
  model.human({ f: 'A a H b c d e f' })
  model.agent('t2', { f: 'B A a H b c d e f' })
  model.undo(2)
  expect(model.words('f')).toBe('a H b c d e f')
  model.human({ f: 'X a H b c d e f' })
  model.redo(2, { onConflict: 'put-back' })
  expect(model.words('f')).toBe('B A a H b c d e f')
  model.revert('t2')
  expect(model.words('f')).toBe('A a H b c d e f')
})
