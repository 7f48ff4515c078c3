import { crc32 } from 'node:zlib'
import { identityOf, statPath } from '#disk'
import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import { glance, glanceBuffer } from './glance.ts'
import { identityText, keepConversationOf, readKept } from '../chain/index.ts'
import type { ClaudeFile } from './session-files.ts'
import type { OpenOptions } from '../../session-source.ts'
import type { SessionSummary } from '../../session-file.ts'
import { summarize } from './summary.ts'
import { readTranscript, type Transcript } from '../rows/index.ts'
import { buildConversation, type Conversation } from '../chain/index.ts'

/**
 * Caches readings of transcripts across processes, by file identity and offset; and the results of
 * `proofs`. It can be deleted at any time: everything is then read again with the same result.
 * Entries are verified by checksums, because the cache is not synced and damage must not become
 * rows.
 */
export const indexFormat: CacheFormat = {
  version: 10,
  schema: `
    create table files (
      path text primary key, identity text not null, sum integer not null, summary text not null
    ) strict, without rowid;
    create table readings (path text primary key, sum integer not null, meta blob not null) strict;
    create table segments (
      path text not null, start integer not null, rows integer not null, sum integer not null,
      data blob not null, primary key (path, start)
    ) strict;
    create table conversations (
      path text primary key, prefix text not null, sum integer not null, data blob not null
    ) strict;
    create table proofs (
      program text not null, version text not null, answer text not null, at integer not null,
      primary key (program, version)
    ) strict, without rowid;
  `,
}

export interface ClaudeIndex {
  summaries(files: readonly ClaudeFile[]): SessionSummary[]
  transcript(path: string, options?: OpenOptions): Transcript
  /** The conversation of a transcript from this index; cached where building it is slow. */
  conversation(transcript: Transcript): Conversation
}

/** Below this size, reading a file again is faster than loading and storing its cache entry. */
const MIN_CACHED = 1024 * 1024
/**
 * The same for a file that the user opened: a new process, which reads slowly at first, is likely
 * to open it again. It is a single file, not the hundreds of a list.
 */
const MIN_CACHED_OPENED = 32 * 1024
/**
 * How many bytes of unknown files listing one project reads: newest first, the rest at a glance.
 * Listing all sessions of a machine reads none.
 */
const MAX_READ_PER_LISTING = 16 * 1024 * 1024
const MAX_FILES_OF_PROJECT = 200
/** A server is asked for the same few sessions again and again. */
const MAX_RECENT = 8

export function openSessionIndex(cache: Cache | null): ClaudeIndex {
  const read = (path: string, minSize: number): Transcript => {
    const stat = cache === null ? null : statPath(path)
    if (cache === null || stat === null || Number(stat.size) < minSize) return readTranscript(path)
    return readKept(cache, path, identityOf(stat))
  }
  const recent = new Map<string, Transcript>()
  /** Transcripts that this process read for the first time. */
  const first = new WeakSet<Transcript>()
  const readRecent = (path: string, minSize: number, isOneOfMany = false): Transcript => {
    const known = recent.get(path)
    const stat = statPath(path)
    if (known !== undefined && stat !== null && isReadWhole(known, stat)) return known
    const transcript = read(path, minSize)
    if (known === undefined && !isOneOfMany) first.add(transcript)
    recent.delete(path)
    recent.set(path, transcript)
    for (const oldest of recent.keys()) if (recent.size > MAX_RECENT) recent.delete(oldest)
    return transcript
  }
  return {
    transcript: (path, { isOneOfMany = false } = {}) =>
      readRecent(path, isOneOfMany ? MIN_CACHED : MIN_CACHED_OPENED, isOneOfMany),
    conversation(transcript) {
      const conversation = buildConversation(transcript)
      // A server would otherwise write it again with every new row.
      if (cache !== null && first.has(transcript))
        keepConversationOf(cache, transcript, conversation, Date.now())
      return conversation
    },
    summaries(files) {
      const known = cache?.attempt((database) => keptSummaries(database, files))
      const fresh: { file: ClaudeFile; summary: SessionSummary }[] = []
      let budget = files.length <= MAX_FILES_OF_PROJECT ? MAX_READ_PER_LISTING : 0
      const newestFirst = budget === 0 ? files : files.toSorted(byAge)
      const buffer = glanceBuffer()
      const found = new Map<ClaudeFile, SessionSummary>()
      for (const file of newestFirst) {
        const kept = known?.get(file.path)
        const same = kept === undefined ? null : parseSummary(file, kept)
        const isNew = same === null || (same.counted === null && file.identity.size <= budget)
        const summary = isNew
          ? readSummary(file, { budget, read: (path) => readRecent(path, MIN_CACHED), buffer })
          : same
        if (summary === null) continue
        found.set(file, summary)
        if (!isNew) continue
        fresh.push({ file, summary })
        if (summary.counted !== null) budget -= file.identity.size
      }
      if (fresh.length > 0) cache?.attempt((database) => keepSummaries(database, fresh))
      return files.flatMap((file) => found.get(file) ?? [])
    },
  }
}

function isReadWhole(
  { identity, end }: Transcript,
  stat: NonNullable<ReturnType<typeof statPath>>,
): boolean {
  return identityText(identity) === identityText(identityOf(stat)) && end === Number(stat.size)
}

function byAge(a: ClaudeFile, b: ClaudeFile): number {
  return a.identity.modified < b.identity.modified ? 1 : -1
}

/** Null if the file is gone or unreadable: the list continues without it. */
function readSummary(
  file: ClaudeFile,
  how: { budget: number; read: (path: string) => Transcript; buffer: Buffer },
): SessionSummary | null {
  try {
    return file.identity.size <= how.budget
      ? summarize(file, how.read(file.path))
      : glance(file, how.buffer)
  } catch {
    return null
  }
}

/** Null if the file changed, or if the entry is invalid. */
function parseSummary(file: ClaudeFile, { identity, sum, summary }: Kept): SessionSummary | null {
  if (identity !== identityText(file.identity) || sumOf(identity, summary) !== sum) return null
  try {
    const said = JSON.parse(summary) as Omit<SessionSummary, 'agent' | 'id' | 'path'>
    return { agent: file.agent, id: file.id, path: file.path, ...said }
  } catch {
    return null
  }
}

/** Covers both: a torn page must not combine one state's summary with another state's identity. */
function sumOf(identity: string, summary: string): number {
  return crc32(identity + summary)
}

interface Kept {
  readonly identity: string
  readonly sum: number
  readonly summary: string
}

function keptSummaries(database: Database, files: readonly ClaudeFile[]): Map<string, Kept> {
  // Look up few files one by one; for many, read the whole table.
  const rows =
    files.length < 200
      ? files.map(({ path }) => one(database, 'select * from files where path = ?', path))
      : all(database, 'select * from files')
  return new Map(
    rows.flatMap((row) => (row ? [[row['path'] as string, row as unknown as Kept]] : [])),
  )
}

function keepSummaries(
  database: Database,
  fresh: readonly { file: ClaudeFile; summary: SessionSummary }[],
): void {
  transact(database, () => {
    for (const { file, summary } of fresh) {
      const identity = identityText(file.identity)
      // The path is the key, and contains the id.
      const text = JSON.stringify({ ...summary, agent: undefined, id: undefined, path: undefined })
      const sql = 'insert or replace into files values (?, ?, ?, ?)'
      run(database, sql, file.path, identity, sumOf(identity, text), text)
    }
  })
}
