import { nat, sample } from 'fast-check'
import { expect, test } from 'vitest'
import { raceOnce } from './abort-race.ts'
import { runScene } from './played-run.ts'

const runs = Number(process.env['RUNS'] ?? 6)
const seed = Number(process.env['SEED'] ?? 20260101)

test(`[G6] a turn stopped at any of ${runs} moments is gone: nothing of it comes late`, async () => {
  await using r = await runScene({ files: { shared: 'x\n' } })
  // One in each phase: process start, request, steps, stream, and after the end.
  const part = Math.floor(1400 / runs)
  const moments = sample(nat(part), { numRuns: runs, seed }).map((at, index) => index * part + at)
  for (const [number, moment] of moments.entries()) await raceOnce(r, number, moment)
  expect(await r.sent()).toEqual(['hello'])
})
