import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claudeCode } from '#agents'
import { durableDisk } from '#disk'
import { openCache } from '#store'
import { readTranscript } from '../src/agents/claude-code/transcript.ts'
import { lines, writeSessions, writeTranscript } from './generate-transcripts.ts'
import { interleave, limit, ratio, type Figure } from './measure.ts'

const LARGE = 500e6
const SESSIONS = 5000

/** Reading transcripts against the plainest way to touch the same bytes or files. */
export async function run(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'retake-bench-'))
  try {
    return [...(await readingLarge(directory)), ...(await listingMany(directory))]
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function readingLarge(directory: string): Promise<Figure[]> {
  const path = join(directory, 'large.jsonl')
  writeTranscript(path, LARGE)
  const times = await interleave(5, {
    raw: () => readRaw(path),
    index: () => readTranscript(path),
  })
  const known = { at: readTranscript(path) }
  const { tail } = await interleave(9, {
    tail: () => {
      known.at = readTranscript(path, known.at)
    },
    append: () => appendFileSync(path, lines(5000).next().value as string),
  })
  return [
    ratio('index 500 MB, against a raw read', times.index, times.raw, { most: 3 }),
    limit('memory to index 500 MB', memoryToIndex(path), 'MB', 120),
    limit('tail of a growing 500 MB transcript', tail, 'ms', 5),
  ]
}

function readRaw(path: string): number {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(4 * 1024 * 1024)
  let total = 0
  for (let got = -1; got !== 0;) {
    got = readSync(file, buffer, 0, buffer.length, null)
    total += got
  }
  closeSync(file)
  return total
}

/** In a process of its own: this one has seen too much already. */
function memoryToIndex(path: string): number {
  const reader = fileURLToPath(new URL('../src/agents/claude-code/transcript.ts', import.meta.url))
  const script = `const { readTranscript } = await import(${JSON.stringify(reader)})
    readTranscript(${JSON.stringify(path)})
    console.log(process.resourceUsage().maxRSS / 1024)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  )
}

async function listingMany(directory: string): Promise<Figure[]> {
  const config = join(directory, 'claude')
  writeSessions(config, SESSIONS)
  const files = claudeCode.listSessionFiles(config)
  const list = (name: string): void => {
    using cache = openCache(
      { directory: join(directory, 'cache'), name, disk: durableDisk },
      claudeCode.indexFormat,
    )
    claudeCode.openSessionIndex(cache).summaries(claudeCode.listSessionFiles(config))
  }
  // Project by project: the listing of a whole machine reads no session it does not know.
  for (const slug of new Set(files.map((file) => file.slug))) {
    using cache = openCache(
      { directory: join(directory, 'cache'), name: 'warm.db', disk: durableDisk },
      claudeCode.indexFormat,
    )
    claudeCode.openSessionIndex(cache).summaries(files.filter((file) => file.slug === slug))
  }
  let fresh = 0
  const times = await interleave(5, {
    stat: () => statAll(config),
    cached: () => list('warm.db'),
    cold: () => list(`cold-${fresh++}.db`),
  })
  return [
    ratio(`list ${SESSIONS} sessions, cached, against readdir and stat`, times.cached, times.stat, {
      most: 3,
    }),
    ratio(`list ${SESSIONS} sessions, cold, against readdir and stat`, times.cold, times.stat, {
      most: 8,
    }),
  ]
}

function statAll(config: string): void {
  for (const project of readdirSync(join(config, 'projects')))
    for (const name of readdirSync(join(config, 'projects', project)))
      statSync(join(config, 'projects', project, name), { bigint: true })
}
