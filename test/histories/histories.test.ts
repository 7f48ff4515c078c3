import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a wrong history is reported before it is shrunk', async () => {
  const seen: string[] = []
  const broken: MakeWorld = async () => {
    seen.push('played')
    const project = mkdtempSync(join(tmpdir(), 'retake-'))
    const prompts: string[] = []
    return {
      project,
      rewinds: false,
      turn: async (prompt) => void prompts.push(prompt),
      operate: async () => ({ kind: 'refused', code: 'broken', message: 'It broke.', files: [] }),
      line: async () => ({ prompts, head: prompts.length }),
      [Symbol.asyncDispose]: async () => rmSync(project, { recursive: true }),
    }
  }
  const onWrong = (message: string): void => void seen.push(message)
  const trying = tryHistory(1, () => broken, { replays: 3, onWrong })
  await expect(trying).rejects.toThrow(/^history 1: .*It broke\./)
  expect(seen).toEqual([
    'played',
    expect.stringContaining('It broke.'),
    'played',
    'played',
    'played',
  ])
})
