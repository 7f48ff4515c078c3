import { test } from 'vitest'
import { countTogether, openTogether } from './races.ts'

test(
  '[R7] [FT10] eight processes on one new project lose no operation',
  { timeout: 300_000 },
  async () => {
    await countTogether(8, 8)
  },
)

test('[R7] [FT10] processes that open a new project at the same moment all succeed', async () => {
  await openTogether(4, 15)
})
