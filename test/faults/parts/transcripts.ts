/** Damaged and huge transcripts, and concurrent writers. */
import { equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { race } from '../../storage/appends.ts'
import { checkFuzzed } from '../../reader/fuzz-check.ts'
import { fuzz, recordedSessions } from '../../reader/fuzz.ts'
import type { Part } from '../part.ts'
import { BytesLost } from '../../verifier/bytes-lost.ts'

const LARGE = ['long-line', 'deep', 'many-lines', 'gigabyte']
const MAX_MEMORY_MB = 300

/** An agent directory with one session. */
function place(): Disposable & { config: string; path: string } {
  const config = mkdtempSync(join(tmpdir(), 'retake-fuzz-'))
  const project = join(config, 'projects', '-project')
  mkdirSync(project, { recursive: true })
  return {
    config,
    path: join(project, '11111111-1111-4111-8111-111111111111.jsonl'),
    [Symbol.dispose]: () => rmSync(config, { recursive: true }),
  }
}

export const transcripts: readonly Part[] = [
  {
    name: 'appends',
    goal: 'R8',
    fault:
      'moves of a conversation whose transcript another process writes to a thousand times a second',
    usual: 1000,
    pieces: 2,
    async try({ runs, survived, note }) {
      const { written, missing } = await race(runs)
      if (missing.length > 0)
        throw new BytesLost(missing.slice(0, 3).join(), missing.join('').length)
      survived(runs)
      note(`lines of the other writer: ${written}`)
    },
  },
  {
    name: 'fuzz',
    goal: 'R9',
    fault: 'damaged transcripts: read in every way, at once and in two parts',
    usual: 100_000,
    pieces: 200,
    async try({ runs, seed, point }) {
      using at = place()
      const bases = recordedSessions()
      for (let number = 0; number < runs; number += 1) {
        const fuzzed = fuzz(bases, seed + number)
        await point(
          () => `${fuzzed.name} (npm run test:fuzz -- 1 ${seed + number})`,
          () => equal(checkFuzzed(at.config, at.path, fuzzed), null),
        )
      }
    },
  },
  {
    name: 'large',
    goal: 'R9',
    fault:
      'a line of 600 MB, nesting 5,000,000 deep, 10,000,000 lines, 1 GB (300 MB of memory at most, except for the nesting)',
    usual: null,
    pieces: LARGE.length,
    async try({ piece, point, note }) {
      using at = place()
      const script = fileURLToPath(new URL('../../reader/read-large.ts', import.meta.url))
      const kind = LARGE[piece]!
      const run = (task: string) =>
        spawnSync(process.execPath, [script, task, kind, at.path], { encoding: 'utf8' })
      await point(
        () => kind,
        () => {
          equal(run('write').status, 0)
          const { stdout, stderr, status } = run('read')
          equal(status, 0, stderr)
          const memory = Number(/(\d+) MB of memory/.exec(stdout)?.[1] ?? Number.NaN)
          ok(kind === 'deep' || memory <= MAX_MEMORY_MB, stdout)
          note(`${kind}: ${stdout.trim()}`)
        },
      )
    },
  },
]
