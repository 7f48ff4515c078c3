import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { durableDisk } from '#disk'
import { openCache } from '#store'
import { readTranscript } from '../src/agents/claude-code/rows/transcript.ts'
import * as claudeCode from '../test/agent/claude-parts.ts'
import { lines, writeSessions, writeTranscript } from './generate-transcripts.ts'
import { drawLines, interleave, limit, ratio, spread, tell } from './measure.ts'
import type { Figure, Measured, Times } from './measured.ts'
import { SESSIONS, TRANSCRIPTS } from './sizes.ts'

const CURVE = {
  index: 'Retake, index',
  tail: 'Retake, after more was appended',
  raw: 'raw read',
  parse: 'readFile, split, JSON.parse',
} as const
// A string in Node is at most half a gigabyte.
const MAX_PARSED = 200e6

interface Read {
  readonly times: Readonly<Partial<Record<keyof typeof CURVE, Times>>>
  readonly memory: number
}

/** Reading transcripts, compared with the simplest way to read the same bytes or files. */
export async function run(): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'transcripts-'))
  try {
    const reads: (readonly [number, Read])[] = []
    for (const bytes of TRANSCRIPTS) reads.push([bytes / 1e6, await reading(directory, bytes)])
    const { times, memory } = reads.at(-1)![1]
    const size = `${reads.at(-1)![0]} MB`
    const said = reads.map(([at, read]) => [at, read.times] as const)
    const needed = reads.map(([at, read]) => [at, { index: spread([read.memory]) }] as const)
    return {
      figures: [
        ratio(`index ${size}, against a raw read`, times.index!, times.raw!, { most: 3 }),
        limit(`memory to index ${size}`, memory, 'MB', 120),
        limit(`tail of a growing ${size} transcript`, times.tail!, 'ms', 5),
        ...(await listingMany(directory)),
      ],
      curves: [
        {
          name: 'transcript',
          what: 'Reading a transcript',
          over: 'MB',
          unit: 'ms',
          lines: drawLines(CURVE, ['index', 'tail'], said),
        },
        {
          name: 'transcript-memory',
          what: 'Memory of a process that has indexed a transcript',
          over: 'MB',
          unit: 'MB',
          lines: drawLines({ index: 'Retake' }, ['index'], needed),
        },
      ],
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function reading(directory: string, bytes: number): Promise<Read> {
  tell(`a transcript of ${bytes / 1e6} MB`)
  const path = join(directory, 'large.jsonl')
  writeTranscript(path, bytes)
  const times = await interleave(5, {
    raw: () => readRaw(path),
    index: () => readTranscript(path),
    parse: bytes > MAX_PARSED ? null : () => parseWhole(path),
  })
  const known = { at: readTranscript(path) }
  const { tail } = await interleave(9, {
    tail: () => {
      known.at = readTranscript(path, known.at)
    },
    append: () => appendFileSync(path, lines(5000).next().value as string),
  })
  return { times: { ...times, tail }, memory: memoryToIndex(path) }
}

/** The naive implementation. */
function parseWhole(path: string): void {
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
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

/** In its own process, because this one's heap has already grown. */
function memoryToIndex(path: string): number {
  const reader = fileURLToPath(
    new URL('../src/agents/claude-code/rows/transcript.ts', import.meta.url),
  )
  const script = `const { readTranscript } = await import(${JSON.stringify(reader)})
    readTranscript(${JSON.stringify(path)})
    console.log(process.resourceUsage().maxRSS / 1024)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  )
}

async function listingMany(directory: string): Promise<Figure[]> {
  tell(`${SESSIONS} sessions`)
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
  // Project by project: the listing of a whole machine reads no unknown session.
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
