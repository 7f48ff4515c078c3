/**
 * The long run of R9: damaged transcripts, then very large files. Each large file gets its own
 * process, whose memory is measured.
 *
 *   node test/reader/fuzz.long.ts [COUNT] [SEED]
 */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkFuzzed } from './fuzz-check.ts'
import { fuzz, recordedSessions } from './fuzz.ts'

const runs = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const MAX_MEMORY_MB = 300

const config = mkdtempSync(join(tmpdir(), 'retake-fuzz-'))
const project = join(config, 'projects', '-project')
mkdirSync(project, { recursive: true })
const path = join(project, '11111111-1111-4111-8111-111111111111.jsonl')

console.log(`${runs} transcripts from seed ${seed} on`)
let wrong = 0
const bases = recordedSessions()
for (let i = 0; i < runs; i++) {
  const fuzzed = fuzz(bases, seed + i)
  const why = checkFuzzed(config, path, fuzzed)
  if (why !== null) {
    wrong++
    writeFileSync(join(tmpdir(), `retake-fuzz-${seed + i}.jsonl`), fuzzed.bytes)
    console.log(`seed ${seed + i}: ${fuzzed.name}: ${why}`)
  }
  if ((i + 1) % 1000 === 0) console.log(`${i + 1} transcripts, ${wrong} wrong`)
}

rmSync(path, { force: true })
const script = fileURLToPath(new URL('read-large.ts', import.meta.url))
for (const kind of ['long-line', 'deep', 'many-lines', 'gigabyte']) {
  const run = (task: string): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [script, task, kind, path], { encoding: 'utf8' })
  run('write')
  const { stdout, stderr, status } = run('read')
  const memory = Number(/(\d+) MB of memory/.exec(stdout)?.[1] ?? Number.NaN)
  const fine = status === 0 && (kind === 'deep' || memory <= MAX_MEMORY_MB)
  if (!fine) wrong++
  console.log(`${fine ? 'ok   ' : 'WRONG'} ${kind}: ${stdout.trim()}${stderr}`)
}
rmSync(config, { recursive: true })
process.exitCode = wrong === 0 ? 0 : 1
