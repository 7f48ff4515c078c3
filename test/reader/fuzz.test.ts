import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFuzzed } from './fuzz-check.ts'
import { fuzz, recordedSessions } from './fuzz.ts'

/** `npm run test:fuzz` reads a hundred thousand. */
const CASES = 300
const SEED = 1

test(`[R9] ${CASES} damaged transcripts from seed ${SEED} on are read to the last byte, and left alone`, () => {
  const config = mkdtempSync(join(tmpdir(), 'retake-fuzz-'))
  const project = join(config, 'projects', '-project')
  mkdirSync(project, { recursive: true })
  const path = join(project, '11111111-1111-4111-8111-111111111111.jsonl')
  const bases = recordedSessions()
  const wrong: string[] = []
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const fuzzed = fuzz(bases, seed)
    const why = checkFuzzed(config, path, fuzzed)
    if (why !== null) wrong.push(`seed ${seed}: ${fuzzed.name}: ${why}`)
  }
  rmSync(config, { recursive: true })

  expect(wrong).toEqual([])
})
