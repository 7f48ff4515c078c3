import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'
import { playBaseSessions } from './base-sessions.ts'
import { compareAll, compareVariant, describeDifference, measuredCases } from './corpus.ts'
import { linesOf, namesOf } from './notation.ts'
import { openProbe } from './probe.ts'
import { linesOfChain } from './sent.ts'
import { bytesOf } from './variants.ts'

/**
 * Seeds whose variants contain each kind of change (variants.ts) at least once. `npm run
 * test:resume` compares hundreds; `RUNS` sets the number.
 */
const SEEDS = [9, 10, 31, 104, 290, 451, 502, 1461]
const runs = process.env['RUNS']
const seeds = runs === undefined ? SEEDS : Array.from({ length: Number(runs) }, (_, n) => n + 1)

test('[CC] the reader resumes every measured file where the real agent did', () => {
  const directory = mkdtempSync(join(tmpdir(), 'retake-cases-'))
  const path = join(directory, 'session.jsonl')
  const found = measuredCases().map(({ notation }) => {
    writeFileSync(path, bytesOf(linesOf(notation)))
    const { rows, pointers } = readTranscript(path)
    const { chain } = findResume(rows, pointers)
    return `${notation} -> ${namesOf(linesOfChain(path, chain))}`
  })
  rmSync(directory, { recursive: true })

  expect(found).toEqual(measuredCases().map(({ notation, sent }) => `${notation} -> ${sent}`))
})

test('[CC] the reader and the real agent resume generated variants of a session alike', async () => {
  await using probe = await openProbe()
  const bases = await playBaseSessions(probe)

  const differences = await compareAll(
    seeds.map((seed) => () => compareVariant(probe, bases, seed)),
  )

  expect(differences.map(describeDifference).join('\n')).toBe('')
  expect(probe.model.outside).toEqual([])
}, 120_000)
