import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeReading } from './judge-reading.ts'

const RUNS = 2000
const SEED = 20260101

test(`[FT14][R9] ${RUNS} fuzzed transcripts are read whole, unchanged and without a crash`, () => {
  const config = mkdtempSync(join(tmpdir(), 'retake-fuzz-'))
  mkdirSync(join(config, 'projects', '-p'), { recursive: true })
  try {
    const failures: string[] = []
    for (let seed = SEED; seed < SEED + RUNS && failures.length < 5; seed++)
      try {
        judgeReading(config, seed)
      } catch (error) {
        failures.push(`seed ${seed}: ${(error as Error).stack}`)
      }
    expect(failures).toEqual([])
  } finally {
    rmSync(config, { recursive: true })
  }
})
