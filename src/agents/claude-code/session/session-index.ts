import { crc32 } from 'node:zlib'
import { identityOf, statPath } from '#disk'
import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import { glance, glanceBuffer } from './glance.ts'
import { identityText, keepConversationOf, readKept } from '../chain/index.ts'
import type { ClaudeFile } from './session-files.ts'
import type { SessionSummary } from '../../session-file.ts'
import { summarize } from './summary.ts'
import { readTranscript, type Transcript } from '../rows/index.ts'
import { buildConversation, type Conversation } from '../chain/index.ts'

/**
 * What was read of transcripts, kept between processes by file identity and offset; and what
 * `proofs` found out. It can be
 * thrown away at any time; without it everything is read again and comes out the same. What comes
 * back is compared with its sum: nobody syncs a cache, and damage must not become rows.
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
  transcript(path: string): Transcript
  /** The conversation of a transcript that this index gave; kept where putting it together is slow. */
  conversation(transcript: Transcript): Conversation
}

/** Below this a file is read again quicker than its reading is fetched and kept. */
const WORTH_KEEPING = 1024 * 1024
/**
 * One that somebody opened is likely to be opened again, by a process that has just begun and reads
 * anything slowly; and it is one, not the hundreds of a list.
 */
const WORTH_KEEPING_OPENED = 32 * 1024
/**
 * What the listing of one project reads of files it does not know: the newest first, the rest at a
 * glance. Of a whole machine's sessions it reads none.
 */
const READ_PER_LISTING = 16 * 1024 * 1024
const ONE_PROJECT = 200
/** A process that stays is asked for the same few sessions again and again. */
const MOST_RECENT = 8

export function openSessionIndex(cache: Cache | null): ClaudeIndex {
  const read = (path: string, worth: number): Transcript => {
    const stat = cache === null ? null : statPath(path)
    if (cache === null || stat === null || Number(stat.size) < worth) return readTranscript(path)
    return readKept(cache, path, identityOf(stat))
  }
  const recent = new Map<string, Transcript>()
  /** Read for the first time by this process. */
  const first = new WeakSet<Transcript>()
  const readRecent = (path: string, worth: number): Transcript => {
    const known = recent.get(path)
    const stat = statPath(path)
    if (known !== undefined && stat !== null && isReadWhole(known, stat)) return known
    const transcript = read(path, worth)
    if (known === undefined) first.add(transcript)
    recent.delete(path)
    recent.set(path, transcript)
    for (const oldest of recent.keys()) if (recent.size > MOST_RECENT) recent.delete(oldest)
    return transcript
  }
  return {
    transcript: (path) => readRecent(path, WORTH_KEEPING_OPENED),
    conversation(transcript) {
      const conversation = buildConversation(transcript)
      // A process that stays would write it again with every row that comes.
      if (cache !== null && first.has(transcript))
        keepConversationOf(cache, transcript, conversation, Date.now())
      return conversation
    },
    summaries(files) {
      const known = cache?.attempt((database) => keptSummaries(database, files))
      const fresh: { file: ClaudeFile; summary: SessionSummary }[] = []
      let budget = files.length <= ONE_PROJECT ? READ_PER_LISTING : 0
      const newestFirst = budget === 0 ? files : files.toSorted(byAge)
      const buffer = glanceBuffer()
      const found = new Map<ClaudeFile, SessionSummary>()
      for (const file of newestFirst) {
        const kept = known?.get(file.path)
        const same = kept === undefined ? null : parseSummary(file, kept)
        const isNew = same === null || (same.counted === null && file.identity.size <= budget)
        const summary = isNew
          ? readSummary(file, { budget, read: (path) => readRecent(path, WORTH_KEEPING), buffer })
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

/** Null when the file is gone or may not be read: a list goes on without it. */
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

/** Null when the file is another now, or when what was kept cannot be understood any more. */
function parseSummary(file: ClaudeFile, { identity, sum, summary }: Kept): SessionSummary | null {
  if (identity !== identityText(file.identity) || sumOf(identity, summary) !== sum) return null
  try {
    const said = JSON.parse(summary) as Omit<SessionSummary, 'agent' | 'id' | 'path'>
    return { agent: file.agent, id: file.id, path: file.path, ...said }
  } catch {
    return null
  }
}

/** Over both: a page of which half is old must not give one file's summary to another state of it. */
function sumOf(identity: string, summary: string): number {
  return crc32(identity + summary)
}

interface Kept {
  readonly identity: string
  readonly sum: number
  readonly summary: string
}

function keptSummaries(database: Database, files: readonly ClaudeFile[]): Map<string, Kept> {
  // One project's files are looked up one by one; a whole machine's are read in one go.
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
      // The path is the key, and the id is in it.
      const text = JSON.stringify({ ...summary, agent: undefined, id: undefined, path: undefined })
      const sql = 'insert or replace into files values (?, ?, ?, ?)'
      run(database, sql, file.path, identity, sumOf(identity, text), text)
    }
  })
}
