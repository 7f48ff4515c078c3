import {
  appendFileSync,
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
import { claudeCode, type SessionIndex } from '#agents'
import { durableDisk } from '#disk'
import { openCache } from '#store'

const { indexFormat, listSessionFiles, openSessionIndex } = claudeCode

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
    /** A process of its own: it knows only what the cache holds. */
    open<T>(use: (index: SessionIndex) => T): T {
      using cache = openCache(
        { directory: join(root, 'cache'), name: 'sessions.db', disk: durableDisk },
        indexFormat,
      )
      return use(openSessionIndex(cache))
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
}

function rows(from: number, to: number, size = 10): string {
  let text = ''
  for (let n = from; n <= to; n++)
    text += `${JSON.stringify({
      parentUuid: n === 1 ? null : `u${n - 1}`,
      type: 'user',
      message: { role: 'user', content: `prompt ${n} ${'x'.repeat(size)}` },
      uuid: `u${n}`,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
      cwd: '/p',
    })}\n`
  return text
}

const LARGE = 40_000 // bytes a row: thirty of them are worth keeping

function turnsOf(index: SessionIndex, path: string): number {
  return index.transcript(path).rows.length
}

test('a grown transcript is read from where it ended', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  expect(w.open((index) => turnsOf(index, w.path(1)))).toBe(30)

  // In the middle of what is known, where nobody looks again: reading it would show.
  const bytes = readFileSync(w.path(1))
  const middle = bytes.indexOf('prompt 15')
  bytes.fill(0, middle - 200, middle + 200)
  writeFileSync(w.path(1), bytes)
  appendFileSync(w.path(1), rows(31, 32, LARGE))
  const transcript = w.open((index) => index.transcript(w.path(1)))
  expect(transcript.rows).toHaveLength(32)
  expect(transcript.damage).toEqual([])
})

test.for([
  ['shrunk', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['rewritten in place, and longer', (path: string) => writeFileSync(path, rows(1, 50, 30_000))],
  [
    'replaced by another file of the same name',
    (path: string) => {
      writeFileSync(`${path}.new`, rows(1, 50, 30_000))
      renameSync(`${path}.new`, path)
    },
  ],
] as const)('[FT15] a transcript that was %s is read anew', ([, change]) => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  w.open((index) => index.transcript(w.path(1)))
  change(w.path(1))
  const read = w.open((index) => index.transcript(w.path(1)).rows.map(({ uuid }) => uuid))
  expect(read).toEqual(
    openSessionIndex(null)
      .transcript(w.path(1))
      .rows.map(({ uuid }) => uuid),
  )
})

test('a listing reads what it does not know once, and is the same with and without a cache', () => {
  using w = world()
  for (let n = 1; n <= 5; n++) writeFileSync(w.path(n), rows(1, n))
  const list = (index: SessionIndex): unknown => index.summaries(listSessionFiles(w.config))
  const first = w.open(list)
  expect(first).toMatchObject([1, 2, 3, 4, 5].map((turns) => ({ counted: { turns } })))
  expect(w.open(list)).toEqual(first)
  expect(list(openSessionIndex(null))).toEqual(first)
})

test('a listing of many sessions parses none of those it knows', () => {
  using w = world()
  for (let n = 1; n <= 300; n++) writeFileSync(w.path(n), rows(1, 3))
  const files = listSessionFiles(w.config)
  w.open((index) => index.summaries(files))
  // The same identities, other contents: whoever parsed them would count no turn.
  for (const { path } of files) rmSync(path)
  const again = w.open((index) => index.summaries(files))
  expect(again.map(({ counted }) => counted?.turns)).toEqual(Array(300).fill(3))
})

test('a damaged cache is thrown away and made anew', () => {
  using w = world()
  writeFileSync(w.path(1), rows(1, 30, LARGE))
  w.open((index) => index.transcript(w.path(1)))
  writeFileSync(join(w.root, 'cache', 'sessions.db'), 'this is no database'.repeat(1000))
  expect(w.open((index) => turnsOf(index, w.path(1)))).toBe(30)
})

test('a row whose newline is not there yet counts, and is not counted twice when it comes', () => {
  using w = world()
  const text = rows(1, 30, LARGE)
  writeFileSync(w.path(1), text.slice(0, -1))
  expect(w.open((index) => turnsOf(index, w.path(1)))).toBe(30)
  appendFileSync(w.path(1), `\n${rows(31, 31, LARGE)}`)
  expect(w.open((index) => turnsOf(index, w.path(1)))).toBe(31)
})
