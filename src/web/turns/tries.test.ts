import { expect, test } from 'vitest'
import { besideTry } from './tries.ts'

test('[B5] the arrows cycle through the tries at a turn', () => {
  const tries = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(besideTry(tries, 'a', 1)).toBe('b')
  expect(besideTry(tries, 'c', 1)).toBe('a')
  expect(besideTry(tries, 'a', -1)).toBe('c')
  // If the try is gone, count from the first.
  expect(besideTry(tries, 'gone', 1)).toBe('b')
  expect(besideTry([], 'a', 1)).toBe(null)
})
