import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableDisk } from '#disk'
import { openCache, run, type Cache } from '#store'
import {
  indexFormat,
  listSessionFiles,
  openSessionIndex,
  type ClaudeIndex,
} from '../agent/claude-parts.ts'
import { branchRecordLine } from '../../src/agents/claude-code/session/branch-record.ts'
import { glance, glanceBuffer } from '../../src/agents/claude-code/session/glance.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'
import type { TurnId } from '#timeline'
import { needs } from '../needs.ts'

needs('linux')('[perf] a grown transcript is read from its old end', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  expect(w.open((index) => uuidsOf(index, w.path(1)))).toHaveLength(30)

  // Change a known part, which is not read again: reading it would show.
  const bytes = readFileSync(w.path(1))
  const middle = bytes.indexOf('prompt 15')
  bytes.fill(0, middle, middle + 200)
  writeFileSync(w.path(1), bytes)
  appendFileSync(w.path(1), rows(31, 32, LARGE))
  const before = bytesRead()
  const transcript = w.open((index) => index.transcript(w.path(1)))
  const read = bytesRead() - before

  expect(transcript.rows).toHaveLength(32)
  expect(transcript.damage).toEqual([])
  expect(read).toBeLessThan(statSync(w.path(1)).size / 4)
})

needs('linux')('[perf] an unchanged transcript is not read again', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 100, LARGE))
  const first = w.open((index) => index.transcript(w.path(1)))
  const before = bytesRead()
  const again = w.open((index) => index.transcript(w.path(1)))

  expect(bytesRead() - before).toBeLessThan(statSync(w.path(1)).size / 20)
  expect(again).toEqual(first)
})

test.for([
  ['shrunk', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['rewritten in place, and longer', (path: string) => writeFileSync(path, rows(1, 50, 30_000))],
  [
    'rewritten in place, and as long',
    (path: string) => {
      const text = readFileSync(path, 'latin1').replace('"u15"', '"v15"')
      writeFileSync(path, text, 'latin1')
    },
  ],
  [
    'replaced by another file of the same name',
    (path: string) => {
      writeFileSync(`${path}.new`, rows(1, 50, 30_000))
      renameSync(`${path}.new`, path)
    },
  ],
] as const)('[FT15] a transcript that was %s is read from the start', ([, change]) => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  const before = w.open((index) => uuidsOf(index, w.path(1)))
  change(w.path(1))
  const read = w.open((index) => uuidsOf(index, w.path(1)))

  expect(read).toEqual(uuidsOf(openSessionIndex(null), w.path(1)))
  expect(read).not.toEqual(before)
})

test('[FT14] a row without its newline counts, and is not counted twice when the newline arrives', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE).slice(0, -1))
  expect(w.open((index) => uuidsOf(index, w.path(1)))).toHaveLength(30)
  expect(w.open((index) => uuidsOf(index, w.path(1)))).toHaveLength(30)
  const known = readTranscript(w.path(1))
  appendFileSync(w.path(1), `\n${rows(31, 31, LARGE)}`)
  expect(w.open((index) => uuidsOf(index, w.path(1)))).toHaveLength(31)
  expect(readTranscript(w.path(1), known).rows).toHaveLength(31)
})

test('[FT14] a damaged cache is deleted and recreated', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  w.open((index) => index.transcript(w.path(1)))
  writeFileSync(join(w.root, 'cache', 'sessions.db'), 'this is no database'.repeat(1000))
  expect(w.open((index) => uuidsOf(index, w.path(1)))).toHaveLength(30)
})

test.for([
  ['is zeros', (page: Buffer) => page.fill(0)],
  ['is of another file', (page: Buffer) => page.fill('another file ')],
  ['has bytes turned round', (page: Buffer) => page.forEach((b, i) => (page[i] = i % 97 ? b : ~b))],
] as const)('[FT14] a cache with any page %s gives what the files say', ([, damage]) => {
  using w = world()
  for (const n of [1, 2, 3]) writeFileSync(w.path(n), rows(1, 30 * n, LARGE))
  const files = listSessionFiles(w.config)
  const read = (index: ClaudeIndex): unknown[] => [
    index.summaries(files),
    ...files.map(({ path }) => uuidsOf(index, path)),
  ]
  const right = w.open(read)
  const path = join(w.root, 'cache', 'sessions.db')
  const sound = readFileSync(path)
  const pageSize = sound.readUInt16BE(16)
  for (let at = 0; at < sound.length; at += pageSize) {
    const bytes = Buffer.from(sound)
    damage(bytes.subarray(at, at + pageSize))
    writeFileSync(path, bytes)
    expect(w.open(read), `page ${at / pageSize}`).toEqual(right)
  }
  expect(sound.length / pageSize).toBeGreaterThan(10)
})

test('[FT14] a cache with any block from before a power cut gives what the files say', () => {
  using w = world()
  for (const n of [1, 2]) writeFileSync(w.path(n), rows(1, 30 * n, LARGE))
  const read = (index: ClaudeIndex): unknown[] => {
    const files = listSessionFiles(w.config)
    return [index.summaries(files), ...files.map(({ path }) => uuidsOf(index, path))]
  }
  w.open(read)
  const path = join(w.root, 'cache', 'sessions.db')
  const old = readFileSync(path)
  for (const n of [1, 2]) appendFileSync(w.path(n), rows(30 * n + 1, 40 * n, LARGE))
  const right = w.open(read)
  const sound = readFileSync(path)
  let mixed = 0
  for (let at = 0; at < Math.min(old.length, sound.length); at += BLOCK) {
    const bytes = Buffer.from(sound)
    old.copy(bytes, at, at, at + BLOCK)
    if (bytes.equals(sound)) continue
    mixed++
    writeFileSync(path, bytes)
    expect(w.open(read), `block ${at / BLOCK}`).toEqual(right)
  }
  expect(mixed).toBeGreaterThan(2)
})

test('[FT14] cached data that cannot be parsed is read again from the transcript', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  const files = listSessionFiles(w.config)
  w.open((index) => index.summaries(files))
  w.open((index, { database }) => {
    run(database, 'update segments set data = ?', Buffer.from('nonsense'))
    run(database, 'update files set summary = ?', '{"id":')
    expect(uuidsOf(index, w.path(1))).toHaveLength(30)
    expect(index.summaries(files)).toMatchObject([{ counted: { turns: 30 } }])
  })
})

test('[perf] the listing of a project is complete, and the same with and without a cache', () => {
  using w = world()
  for (let n = 1; n <= 5; n++) writeFileSync(w.path(n), rows(1, n))
  const list = (index: ClaudeIndex): unknown => index.summaries(listSessionFiles(w.config))
  const first = w.open(list)
  expect(first).toMatchObject([1, 2, 3, 4, 5].map((turns) => ({ counted: { turns } })))
  expect(w.open(list)).toEqual(first)
  expect(list(openSessionIndex(null))).toEqual(first)
})

needs('linux')(
  '[perf] the listing of 5,000 sessions parses none of them, and opens no known one',
  () => {
    using w = world()
    const text = rows(1, 40, 500)
    writeFileSync(w.path(1), text)
    for (let n = 2; n <= 5000; n++) linkSync(w.path(1), w.path(n))
    const files = listSessionFiles(w.config)
    const list = (index: ClaudeIndex): unknown[] =>
      index
        .summaries(files)
        .map(({ title, counted }) => `${title}, ${counted?.turns ?? 'not read'}`)
    const before = bytesRead()
    const first = w.open(list)
    const cold = bytesRead() - before

    expect(first).toEqual(Array(5000).fill('prompt 1, not read'))
    expect(cold).toBeLessThan((5000 * text.length) / 2)
    // The same identities without the files: opening one would fail.
    for (const { path } of files) rmSync(path)
    expect(w.open(list)).toEqual(first)
  },
)

test('[FT14] an empty file is not mistaken for the branch that was read before it', () => {
  using w = world()
  const origin = { parentSessionId: 'p', rewindFromTurn: 1, turn: 't' as TurnId, rewoundAt: '2026' }
  writeFileSync(w.path(1), branchRecordLine('s', origin))
  writeFileSync(w.path(2), '')
  const buffer = glanceBuffer()
  const files = listSessionFiles(w.config).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const branches = files.map((file) => [file.path, glance(file, buffer).branch])
  expect(branches).toEqual([
    [w.path(1), origin],
    [w.path(2), null],
  ])
})

test('[CC] a title in the first line of a short file is found without a full read', () => {
  using w = world()
  const title = JSON.stringify({ type: 'summary', summary: 'What it was about', leafUuid: 'u1' })
  writeFileSync(w.path(1), `${title}\n${rows(1, 2)}`)
  const [file] = listSessionFiles(w.config)
  expect(glance(file!)).toMatchObject({ title: 'What it was about', firstPrompt: 'prompt 1' })
})

test('[R9][W20] a line at the very end that only begins like a title is not one', () => {
  using w = world()
  const noPrompt = `${JSON.stringify({ type: 'x', filling: 'f'.repeat(99) })}\n`.repeat(2000)
  writeFileSync(w.path(1), `${noPrompt}{"t"}\n`)
  const [file] = listSessionFiles(w.config)
  expect(glance(file!)).toMatchObject({ firstPrompt: '' })
})

function world() {
  const root = mkdtempSync(join(tmpdir(), 'retake-index-'))
  const config = join(root, 'claude')
  const directory = join(config, 'projects', '-p')
  mkdirSync(directory, { recursive: true })
  const path = (n: number): string =>
    join(directory, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}.jsonl`)
  return {
    config,
    root,
    path,
    /** Another process: it knows only what the cache has. */
    open<T>(use: (index: ClaudeIndex, cache: Cache) => T): T {
      using cache = openCache(
        { directory: join(root, 'cache'), name: 'sessions.db', disk: durableDisk },
        indexFormat,
      )
      return use(openSessionIndex(cache), cache)
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

/** The unit that a file system writes; a page of the cache is larger. */
const BLOCK = 4096

const LARGE = 40_000 // bytes per row; thirty rows are worth caching

function rows(from: number, to: number, size = 10): string {
  let text = ''
  for (let n = from; n <= to; n++)
    text += `${JSON.stringify({
      parentUuid: n === 1 ? null : `u${n - 1}`,
      type: 'user',
      message: { role: 'user', content: `prompt ${n}` },
      toolUseResult: 'x'.repeat(size),
      uuid: `u${n}`,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
      cwd: '/p',
    })}\n`
  return text
}

function uuidsOf(index: ClaudeIndex, path: string): string[] {
  return index.transcript(path).rows.map(({ uuid }) => uuid)
}

/** Bytes that this process has read from files so far. */
function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1])
}
