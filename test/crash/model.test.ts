import { expect, test } from 'vitest'
import { checkModel } from './model.ts'

test(
  '[R5] [FT8] [FT9] random histories with crashes, errors and saves end as the model says',
  { timeout: 300_000 },
  async () => {
    const runs = Number(process.env['RUNS'] ?? 1)
    const { outcomes } = await checkModel(300 * runs, Number(process.env['SEED'] ?? 1))
    expect(outcomes['none: done']).toBeGreaterThan(5)
  },
)
