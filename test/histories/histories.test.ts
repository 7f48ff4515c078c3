import { expect, test } from 'vitest'
import { engineWorld } from './engine-world.ts'
import { seedsOf, tryHistory, type HistoryKind } from './try-histories.ts'
import type { MakeWorld } from './run-history.ts'

const make =
  (kind: HistoryKind): MakeWorld =>
  async (random) =>
    engineWorld({ ...kind, uuid: () => random.uuid() })

test(
  '[sem.X2] [sem.X3] [sem.X5] random histories of turns, undo, redo, switch and revert return to the same trees',
  { timeout: 300_000 },
  async () => {
    const seeds = seedsOf(Number(process.env['SEED'] ?? 1), Number(process.env['RUNS'] ?? 5))
    const results = await Promise.allSettled(seeds.map((seed) => tryHistory(seed, make)))
    expect(results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([])
  },
)
