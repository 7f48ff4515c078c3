/**
 * The long run of R9: fuzzed transcripts, then one file of a gigabyte and a line of 600 MB.
 *
 *   node test/reader/fuzz.long.ts [COUNT] [SEED]
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTranscript } from '../../bench/generate-transcripts.ts'
import { judgeReading } from './judge-reading.ts'

const count = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const config = mkdtempSync(join(tmpdir(), 'retake-fuzz-'))
mkdirSync(join(config, 'projects', '-p'), { recursive: true })
console.log(`seed ${seed}`)
try {
  for (let n = 0; n < count; n++) {
    try {
      judgeReading(config, seed + n)
    } catch (error) {
      console.log(`FAILED with seed ${seed + n}`)
      throw error
    }
    if ((n + 1) % 5000 === 0) console.log(`${n + 1} of ${count}`)
  }
  console.log(`${count} transcripts: no crash, no lost byte, nothing written`)
  judgeHuge()
} finally {
  rmSync(config, { recursive: true })
}

/** In processes of their own, so that each one's memory is its own. */
function judgeHuge(): void {
  const whole = join(config, 'gigabyte.jsonl')
  writeTranscript(whole, 1e9)
  console.log(`a file of 1 GB: ${memoryToRead(whole)} MB of memory (at most 300)`)
  rmSync(whole)
  const long = join(config, 'long-line.jsonl')
  writeLongLine(long, 600)
  console.log(`a line of 600 MB: ${memoryToRead(long)} MB of memory (at most 300)`)
  rmSync(long)
  const deep = join(config, 'deep.jsonl')
  writeDeepRow(deep, 5_000_000)
  console.log(`five million deep: ${memoryToRead(deep)} MB of memory`)
}

function memoryToRead(path: string): number {
  const reader = fileURLToPath(
    new URL('../../src/agents/claude-code/transcript.ts', import.meta.url),
  )
  const script = `const { readTranscript } = await import(${JSON.stringify(reader)})
    readTranscript(${JSON.stringify(path)})
    console.log(Math.round(process.resourceUsage().maxRSS / 1024))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return Number(said)
}

function writeLongLine(path: string, megabytes: number): void {
  const file = openSync(path, 'w')
  writeSync(file, '{"parentUuid":null,"type":"user","message":{"role":"user","content":"')
  const chunk = 'x'.repeat(1024 * 1024)
  for (let i = 0; i < megabytes; i++) writeSync(file, chunk)
  writeSync(file, '"},"uuid":"u","timestamp":"2026-01-01T00:00:00.000Z"}\n')
  closeSync(file)
}

function writeDeepRow(path: string, depth: number): void {
  const file = openSync(path, 'w')
  writeSync(
    file,
    `{"type":"user","uuid":"u","parentUuid":null,"message":{"content":${'['.repeat(depth)}`,
  )
  writeSync(file, `${']'.repeat(depth)}},"timestamp":"2026-01-01T00:00:00.000Z"}\n`)
  closeSync(file)
}
