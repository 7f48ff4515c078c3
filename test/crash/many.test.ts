import { test } from 'vitest'
import { countTogether } from './races.ts'

test(
  '[R7] [FT10] eight processes on one new project lose no operation',
  { timeout: 300_000 },
  async () => {
    await countTogether(8, 15)
  },
)
