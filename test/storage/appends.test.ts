import { expect, test } from 'vitest'
import { race } from './appends.ts'

test('[R8][FT13] moves of the conversation lose no byte of an agent that writes at the same time', async () => {
  const { written, moved, missing } = await race(60)
  expect(missing).toEqual([])
  expect(moved).toBe(60)
  expect(written).toBeGreaterThan(0)
})
