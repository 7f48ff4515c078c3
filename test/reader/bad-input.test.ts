import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findLiveProcesses,
  findSessionFile,
  listSessionFiles,
  openSession,
  openSessionIndex,
  type ClaudeSession,
} from '../agent/claude-parts.ts'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'
import { readLines, readRanges } from '../../src/disk/index.ts'
import { unaccountedBytes } from './account.ts'
import { linesOf, namesOf, uuidOf } from './notation.ts'
import { linesOfChain } from './sent.ts'
import { bytesOf } from './variants.ts'
import { asPlatform } from '../house/as-platform.ts'
import { needs } from '../needs.ts'
import { procStartOf } from '../house/process-facts.ts'

const session = '22222222-2222-4222-8222-222222222222'
let config = ''
let path = ''

beforeAll(() => {
  config = mkdtempSync(join(tmpdir(), 'retake-bad-'))
  mkdirSync(join(config, 'projects', '-project'), { recursive: true })
  path = join(config, 'projects', '-project', `${session}.jsonl`)
})

afterAll(() => rmSync(config, { recursive: true }))

const two = bytesOf(linesOf('u1@0 a1@1 u2@10 a2@11'))
/** The rows of `two` as lines of the file, without their newlines. */
const [u1, a1, u2, a2] = two.toString('utf8').split('\n').filter(Boolean) as [
  string,
  string,
  string,
  string,
]

test('[FT14] half a last line is reported as torn, and read when the rest has arrived', () => {
  const half = u2.slice(0, 100)
  const torn = read(`${u1}\n${a1}\n${half}`)

  expect(damageOf(torn)).toEqual([[`${half.length} bytes torn`, half]])
  expect(promptsOf(torn)).toEqual(['u1'])

  appendFileSync(path, `${u2.slice(100)}\n${a2}\n`)
  const grown = readTranscript(path, torn.transcript)
  expect(grown.damage).toEqual([])
  expect(grown.rows.map(({ uuid }) => uuid)).toEqual(['u1', 'a1', 'u2', 'a2'].map(uuidOf))
})

test('[FT14] a whole last row without its newline counts, once', () => {
  const first = read(`${u1}\n${a1}\n${u2}`)
  expect(promptsOf(first)).toEqual(['u1', 'u2'])

  appendFileSync(path, `\n${a2}\n`)
  expect(readTranscript(path, first.transcript).rows).toHaveLength(4)
})

test('[FT14] two rows on one line are both shown; the second is reported, because the agent skips it', () => {
  const found = read(`${u1}\n${a1}\n${u2}${a2}\n`)

  expect(damageOf(found)).toEqual([[`${a2.length} bytes spliced`, a2]])
  expect(found.conversation.turns.map(({ rows }) => rows.length)).toEqual([2, 2])
  expect(sentBy(found)).toBe('u1 a1 u2')
})

test('[FT14] old bytes in the buffer after a torn line do not complete it', () => {
  // The torn line is moved over the previous one, whose rest would make it a row.
  const torn = read(' {"type":"mode","mode":"x"}\nx{"')
  expect(damageOf(torn)).toEqual([['3 bytes torn', 'x{"']])
})

test('[FT14] a row after a torn one is found, and the torn one is reported', () => {
  const half = u2.slice(0, 150)
  const found = read(`${u1}\n${a1}\n${half}${a2}\n`)

  expect(damageOf(found)).toEqual([
    ['150 bytes not-json', half],
    [`${a2.length} bytes spliced`, a2],
  ])
  expect(found.transcript.rows.map(({ skipped }) => skipped)).toEqual([false, false, true])
})

test('[FT14] blocks of NUL bytes are reported, before a row and alone', () => {
  const zeros = '\0'.repeat(300)
  const found = read(`${u1}\n${a1}\n${zeros}\n${zeros}${u2}\n`)

  expect(damageOf(found)).toEqual([
    ['300 bytes nul-bytes', zeros],
    ['300 bytes nul-bytes', zeros],
    [`${u2.length} bytes spliced`, u2],
  ])
  expect(promptsOf(found)).toEqual(['u1', 'u2'])
  expect(sentBy(found)).toBe('u1 a1')
})

test('[FT14] zeros in the middle of a large row lose that row, as for the agent', () => {
  const large = a2.replace('"text":"a2"', `"text":"a2 ${'y'.repeat(5000)}\0\0${'y'.repeat(5000)}"`)
  const found = read(`${u1}\n${a1}\n${u2}\n${large}\n`)

  expect(damageOf(found)).toEqual([[`${large.length} bytes nul-bytes`, large]])
  expect(sentBy(found)).toBe('u1 a1 u2')
})

test('[FT14] a byte order mark, CR line ends and blank lines have no effect', () => {
  const found = read(`\uFEFF${u1}\r\n\r\n \t\r\n${a1}\r\n${u2}\r\n${a2}\r\n`)

  expect(damageOf(found)).toEqual([['3 bytes byte-order-mark', '\uFEFF']])
  expect(sentBy(found)).toBe('u1 a1 u2 a2')
  // Between the parts of a row a CR is white space and does not end it.
  const inside = read(`${u1}\n${a1.replace('{', '{\r')}\n${u2.replace('{', '{\r')}\n${a2}\n`)
  expect(damageOf(inside)).toEqual([])
  expect(sentBy(inside)).toBe('u1 a1 u2 a2')
})

test('[FT14] bytes that are not UTF-8 are shown as such, and lone surrogates stay', () => {
  const [before, after] = u2.split('"u2"') as [string, string]
  const found = read(
    Buffer.concat([
      Buffer.from(`${u1}\n${a1}\n${before}"u2 `),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`\\ud800"${after}\n`),
    ]),
  )

  expect(promptsOf(found)).toEqual(['u1', 'u2 \uFFFD\uFFFD\uD800'])
  expect(found.transcript.damage).toEqual([])
})

test('[FT14] an empty file is a session without turns', () => {
  const found = read('')
  expect(promptsOf(found)).toEqual([])
  expect(found.conversation.head).toBeNull()
  expect(found.summary.counted?.turns).toBe(0)
})

test('[FT14] a line of 70 MB is identified by its two ends and never held in memory', () => {
  const long = u2.replace('"u2"', `"u2 ${'y'.repeat(70 * 1024 * 1024)}"`)
  const found = read(`${u1}\n${a1}\n${long}\n${a2}\n`)

  expect(found.transcript.damage).toEqual([
    { offset: u1.length + a1.length + 2, length: long.length, why: 'too-long' },
  ])
  expect(promptsOf(found).map((text) => text.slice(0, 4))).toEqual(['u1', 'u2 y'])
  expect(found.conversation.turns.map(({ rows }) => rows.length)).toEqual([2, 2])
  found.readTurn(found.conversation.head!)
})

test('[FT14] nesting a million deep neither recurses nor hides the row', () => {
  const deep = `${'['.repeat(1e6)}${']'.repeat(1e6)}`
  const nested = a2.replace('"isSidechain"', `"toolUseResult":${deep},"isSidechain"`)
  const found = read(`${u1}\n${a1}\n${u2}\n${nested}\n`)

  expect(sentBy(found)).toBe('u1 a1 u2 a2')
  expect(found.readTurn(found.conversation.head!).moments).toMatchObject([{ kind: 'said' }])
})

test('[FT14] duplicate uuids, cycles, and missing or late parents lose no turn', () => {
  expect(shapeOf('u1@0 a1@1 u2@10 a2@11 u2<a1@10')).toEqual(['u1<-', 'u2<u1'])
  expect(shapeOf('u1<a2@0 a1@1 u2@10 a2@11')).toEqual(['u1<-', 'u2<u1'])
  expect(shapeOf('u1<u1@0 a1@1')).toEqual(['u1<-'])
  expect(shapeOf('u1@0 a1@1 p1<p2@2 p2<p1@2 u2<p2@3 a2@4')).toEqual(['u1<-', 'u2<u1'])
  expect(shapeOf('u1@0 a1@1 u2<?@50 a2@51')).toEqual(['u1<-', 'u2<- missing'])
  expect(shapeOf('u1@0 a1@1 u2<?@3 a2@4')).toEqual(['u1<-', 'u2<u1'])
  expect(shapeOf('u2<a1@10 a2@11 u1<-@0 a1@1')).toEqual(['u2<u1', 'u1<-'])
  expect(shapeOf('a1<?@0 u1@1 a2@2')).toEqual(['orphan<- missing', 'u1<orphan'])
  expect(shapeOf('u1@0 a1@1 b1@2 s1@2 u2@3 a2@4')).toEqual(['u1<-', 'u2<u1'])
})

test('[FT14] names of object fields such as `__proto__` are data', () => {
  const odd = linesOf('u1@0 a1@1 u2@10 a2@11').map((line, index) => {
    const row = structuredClone(line) as Record<string, unknown>
    if (index === 2) row['uuid'] = '__proto__'
    if (index === 3) row['parentUuid'] = '__proto__'
    return row
  })
  const polluting = `{"__proto__":{"type":"user","polluted":true},"type":"constructor","uuid":"x"}\n`
  const found = read(Buffer.concat([bytesOf(odd), Buffer.from(polluting)]))

  expect(promptsOf(found)).toEqual(['u1', 'u2'])
  expect(found.conversation.head).toBe('__proto__')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('[FT14] the file name identifies the session, whatever the rows say', () => {
  const found = read(two.toString('utf8').replaceAll(uuidOf('session'), uuidOf('another')))
  expect(found.summary.id).toBe(session)
  expect(promptsOf(found)).toEqual(['u1', 'u2'])
})

test('[FT16] rows of unknown kinds are opaque, and their children are not guessed at', () => {
  const unknown = u2.replace('"type":"user"', '"type":"novel"')
  const found = read(`${u1}\n${a1}\n${unknown}\n${a2.replace('00:00:11', '00:01:11')}\n`)

  expect(found.transcript.opaque).toBe(1)
  expect(found.conversation.turns.map(({ turn }) => [turn.kind, turn.parentMissing])).toEqual([
    ['prompt', false],
    ['orphan', true],
  ])
})

test('[FT14] a directory or a pipe instead of a file is refused with a message, and not listed', () => {
  const projects = join(config, 'projects', '-odd')
  mkdirSync(join(projects, `${session.replace('2', '3')}.jsonl`), { recursive: true })
  const pipe = join(projects, `${session.replace('2', '4')}.jsonl`)
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0)

  for (const odd of [join(projects, `${session.replace('2', '3')}.jsonl`), pipe])
    expect(() => readTranscript(odd)).toThrow(expect.objectContaining({ code: 'not-a-file' }))
  expect(() => readTranscript(join(projects, 'none.jsonl'))).toThrow(
    expect.objectContaining({ code: 'not-found' }),
  )
  expect(listSessionFiles(config).filter(({ slug }) => slug === '-odd')).toEqual([])
  rmSync(projects, { recursive: true })
})

needs('readable-clone')('[FT14] a file without permission is refused with a message', () => {
  writeFileSync(path, two)
  chmodSync(path, 0)
  const reader = fileURLToPath(
    new URL('../../src/agents/claude-code/rows/transcript.ts', import.meta.url),
  )
  const script = `
    const { readTranscript } = await import(${JSON.stringify(reader)})
    try { readTranscript(${JSON.stringify(path)}) } catch (error) { console.log(error.code) }`
  // Root can read everything, so read as `nobody`.
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  chmodSync(config, 0o755)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { ...nobody, encoding: 'utf8' },
  )
  chmodSync(path, 0o600)

  expect({ stdout, stderr }).toEqual({ stdout: 'no-permission\n', stderr: '' })
})

test('[FT14] a file that shrinks while it is read ends at its new end', () => {
  const many = Buffer.concat(Array.from({ length: 9000 }, () => two))
  writeFileSync(path, many)
  using file = readRanges(path)
  const offsets: number[] = []
  const end = readLines(
    file,
    { from: 0, limit: 1e6 },
    {
      line(_bytes, _from, _to, offset) {
        if (offsets.length === 0) truncateSync(path, two.length)
        offsets.push(offset)
      },
      rest: (_bytes, _from, _to, offset) => offsets.push(offset),
      longLine: () => expect.unreachable(),
    },
  )

  expect(file.size).toBe(many.length)
  expect(end).toBeLessThan(many.length)
  expect(offsets.at(-1)).toBeLessThanOrEqual(end)
})

test('[FT14] a file that is replaced while it is read is read to the old end', () => {
  writeFileSync(path, two)
  using file = readRanges(path)
  writeFileSync(`${path}.new`, 'something else\n')
  renameSync(`${path}.new`, path)
  let lines = 0
  const end = readLines(
    file,
    { from: 0, limit: 1e6 },
    { line: () => lines++, rest: () => lines++, longLine: () => expect.unreachable() },
  )

  expect([lines, end]).toEqual([4, two.length])
})

test('[FT14] other files beside the sessions are skipped', () => {
  read(two)
  const agents = join(config, 'projects', '-project', session, 'subagents')
  mkdirSync(agents, { recursive: true })
  writeFileSync(join(agents, 'agent-x1.jsonl'), '\0\0{"half')
  writeFileSync(join(agents, 'agent-x1.meta.json'), '{"toolUseId":5')
  writeFileSync(join(agents, '../custom-title.json'), '[1,')
  mkdirSync(join(config, 'sessions'), { recursive: true })
  writeFileSync(join(config, 'sessions', '1.json'), '{"sessionId":')
  writeFileSync(join(config, 'sessions', `${process.pid}.json`), '{"sessionId":{},"procStart":1}')

  expect(findLiveProcesses(config)).toEqual([])
  expect(promptsOf(open())).toEqual(['u1', 'u2'])
})

needs('own-platform', 'ps')(
  '[FT12] [FT13] a reused process id is noticed without /proc, as on macOS',
  async () => {
    const ps = ['-o', 'lstart=', '-p', String(process.pid)]
    // What Claude Code runs on macOS; it stores the output without the spaces around it.
    const { stdout } = spawnSync('ps', ps, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    })
    mkdirSync(join(config, 'sessions'), { recursive: true })
    const entry = join(config, 'sessions', `${process.pid}.json`)
    const live = (procStart: unknown): number => {
      writeFileSync(entry, JSON.stringify({ sessionId: session, procStart, status: 'idle' }))
      return findLiveProcesses(config).length
    }
    const found = await asPlatform('darwin', () =>
      [stdout.trim(), 'Thu Jan  1 00:00:00 1970', undefined].map(live),
    )
    expect(found).toEqual([1, 0, 1])
  },
)

test('[FT13] a process is live while it replaces its entry with a shorter one', () => {
  mkdirSync(join(config, 'sessions'), { recursive: true })
  const procStart = procStartOf(process.pid)
  const entry = { pid: process.pid, sessionId: session, procStart, more: { cwd: '/{}' } }
  const before = JSON.stringify({ ...entry, status: 'waiting', waitingFor: 'permission prompt' })
  const after = JSON.stringify({ ...entry, status: 'idle' })
  // The agent writes, and cuts the file to its new length in a second call.
  const between = after + before.slice(after.length)
  writeFileSync(join(config, 'sessions', `${process.pid}.json`), between)
  expect(findLiveProcesses(config)).toMatchObject([{ session, status: 'idle' }])
})

test('[FT13] a process is live only if it wrote the entry', () => {
  const started = procStartOf(process.pid)
  mkdirSync(join(config, 'sessions'), { recursive: true })
  const entry = join(config, 'sessions', `${process.pid}.json`)
  const live = (procStart: unknown): number => {
    writeFileSync(entry, JSON.stringify({ sessionId: session, procStart, status: 'idle' }))
    return findLiveProcesses(config).length
  }

  expect([live(started), live(Number(started)), live('1'), live(undefined)]).toEqual([1, 1, 0, 1])
  // A process that does not say that it is idle may be writing.
  const statusOf = (status: unknown): string | undefined => {
    writeFileSync(entry, JSON.stringify({ sessionId: session, procStart: started, status }))
    return findLiveProcesses(config)[0]?.status
  }
  expect(['idle', 'shell', 'busy', 'asking', undefined].map(statusOf)).toEqual([
    'idle',
    'idle',
    'busy',
    'busy',
    'busy',
  ])
  rmSync(entry)
})

function read(content: string | Buffer): ClaudeSession {
  const bytes = Buffer.from(content)
  writeFileSync(path, bytes)
  const found = open()
  expect(unaccountedBytes(found.transcript, bytes.length)).toBe(0)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  return found
}

function open(): ClaudeSession {
  return openSession(config, findSessionFile(config, session)!, openSessionIndex(null))
}

function damageOf({ transcript }: ClaudeSession): [string, string][] {
  const bytes = readFileSync(path)
  return transcript.damage.map(({ offset, length, why }) => [
    `${length} bytes ${why}`,
    bytes.toString('utf8', offset, offset + length),
  ])
}

function promptsOf({ conversation }: ClaudeSession): string[] {
  return conversation.turns.map(({ turn }) => turn.prompt)
}

function sentBy({ transcript }: ClaudeSession): string {
  const { chain } = findResume(transcript.rows, transcript.pointers)
  return namesOf(linesOfChain(path, chain))
}

/** Each turn with the turn it continues. */
function shapeOf(notation: string): string[] {
  const { conversation } = read(bytesOf(linesOf(notation)))
  const turns = conversation.turns.map(({ turn }) => turn)
  const names = new Map(
    turns.map(({ id, kind, prompt }) => [id, kind === 'orphan' ? kind : prompt]),
  )
  return turns.map(({ id, parent, parentMissing }) => {
    const above = parent === null ? '-' : names.get(parent)
    return `${names.get(id)}<${above}${parentMissing ? ' missing' : ''}`
  })
}
