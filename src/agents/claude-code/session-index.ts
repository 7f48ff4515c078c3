import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { identityOf, statPath, type FileIdentity } from '#disk'
import { all, one, run, transact, type Cache, type CacheFormat, type Database } from '#store'
import { glance, glanceBuffer } from './glance.ts'
import type { SessionFile } from './session-files.ts'
import { summarize, type SessionSummary } from './summary.ts'
import { readTranscript, type Transcript } from './transcript.ts'

/**
 * What was read of transcripts, kept between processes by file identity and offset; and what
 * `proofs` found out. It can be
 * thrown away at any time; without it everything is read again and comes out the same. What comes
 * back is compared with its sum: nobody syncs a cache, and damage must not become rows.
 */
export const indexFormat: CacheFormat = {
  version: 7,
  schema: `
    create table files (
      path text primary key, identity text not null, sum integer not null, summary text not null
    ) strict, without rowid;
    create table readings (path text primary key, sum integer not null, meta blob not null) strict;
    create table segments (
      path text not null, start integer not null, data blob not null, primary key (path, start)
    ) strict;
    create table proofs (
      program text not null, version text not null, answer text not null, at integer not null,
      primary key (program, version)
    ) strict, without rowid;
  `,
}

export interface SessionIndex {
  /** Complete where the file is known or cheap to read; otherwise what its two ends tell. */
  summaries(files: readonly SessionFile[]): SessionSummary[]
  transcript(path: string): Transcript
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

export function openSessionIndex(cache: Cache | null): SessionIndex {
  const read = (path: string, worth: number): Transcript =>
    cache === null ? readTranscript(path) : readKept(cache, path, worth)
  const recent = new Map<string, Transcript>()
  return {
    transcript(path) {
      const known = recent.get(path)
      const stat = statPath(path)
      if (known !== undefined && stat !== null && isReadWhole(known, stat)) return known
      const transcript = read(path, WORTH_KEEPING_OPENED)
      recent.delete(path)
      recent.set(path, transcript)
      for (const oldest of recent.keys()) if (recent.size > MOST_RECENT) recent.delete(oldest)
      return transcript
    },
    summaries(files) {
      const known = cache?.attempt((database) => keptSummaries(database, files))
      const fresh: { file: SessionFile; summary: SessionSummary }[] = []
      let budget = files.length <= ONE_PROJECT ? READ_PER_LISTING : 0
      const newestFirst = budget === 0 ? files : files.toSorted(byAge)
      const buffer = glanceBuffer()
      const found = new Map<SessionFile, SessionSummary>()
      for (const file of newestFirst) {
        const kept = known?.get(file.path)
        const same = kept === undefined ? null : parseSummary(file, kept)
        const isNew = same === null || (same.counted === null && file.identity.size <= budget)
        const summary = isNew
          ? readSummary(file, { budget, read: (path) => read(path, WORTH_KEEPING), buffer })
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

function byAge(a: SessionFile, b: SessionFile): number {
  return a.identity.modified < b.identity.modified ? 1 : -1
}

/** Null when the file is gone or may not be read: a list goes on without it. */
function readSummary(
  file: SessionFile,
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
function parseSummary(file: SessionFile, { identity, sum, summary }: Kept): SessionSummary | null {
  if (identity !== identityText(file.identity) || sumOf(identity, summary) !== sum) return null
  try {
    const said = JSON.parse(summary) as Omit<SessionSummary, 'id' | 'path'>
    return { id: file.id, path: file.path, ...said }
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

function keptSummaries(database: Database, files: readonly SessionFile[]): Map<string, Kept> {
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
  fresh: readonly { file: SessionFile; summary: SessionSummary }[],
): void {
  transact(database, () => {
    for (const { file, summary } of fresh) {
      const identity = identityText(file.identity)
      // The path is the key, and the id is in it.
      const text = JSON.stringify({ ...summary, id: undefined, path: undefined })
      const sql = 'insert or replace into files values (?, ?, ?, ?)'
      run(database, sql, file.path, identity, sumOf(identity, text), text)
    }
  })
}

type Segment = Pick<Transcript, 'rows' | 'pointers' | 'checkpoints' | 'titles' | 'damage'>

/** What is kept beside the segments, and the sum over all of them in their order. */
interface Meta extends Omit<Transcript, keyof Segment | 'path'> {
  readonly segments: number
}

interface KeptReading {
  readonly transcript: Transcript
  /** Of the segments: damage in the file of a cache must never become rows. */
  readonly sum: number
}

function readKept(cache: Cache, path: string, worth: number): Transcript {
  const stat = statPath(path)
  const size = Number(stat?.size ?? 0)
  if (stat === null || size < worth) return readTranscript(path)
  const kept = cache.attempt((database) => loadReading(database, path))
  const known = kept?.transcript
  const isSame =
    known !== undefined && identityText(known.identity) === identityText(identityOf(stat))
  // What stands after the last newline is not kept, because it may be half a row.
  if (isSame && known.end === size) return known
  const transcript = readTranscript(path, known)
  // A reading that went on took over the list of rows.
  const goesOn = known !== undefined && transcript.rows === known.rows
  const before = goesOn ? { from: known.end, sum: kept!.sum } : { from: 0, sum: 0 }
  if (!isSame) cache.attempt((database) => keepReading(database, transcript, before))
  return transcript
}

/** Null when it was never kept, or when what was kept cannot be understood any more. */
function loadReading(database: Database, path: string): KeptReading | null {
  const reading = one(database, 'select meta, sum from readings where path = ?', path)
  if (reading === undefined) return null
  const kept = all(database, 'select data from segments where path = ? order by start', path)
  const blobs = kept.map((row) => row['data'] as Uint8Array)
  const sum = blobs.reduce((before, blob) => crc32(blob, before), 0)
  const blob = reading['meta'] as Uint8Array
  if (crc32(blob) !== Number(reading['sum'])) return null
  try {
    const { segments, ...meta } = deserialize(blob) as Meta
    if (segments !== sum) return null
    const parts = blobs.map((data) => deserialize(data) as Segment)
    const transcript = {
      path,
      ...meta,
      rows: parts.flatMap((part) => part.rows),
      pointers: parts.flatMap((part) => part.pointers),
      checkpoints: parts.flatMap((part) => part.checkpoints),
      titles: parts.flatMap((part) => part.titles),
      damage: parts.flatMap((part) => part.damage),
    }
    return { transcript, sum }
  } catch {
    return null
  }
}

/** Adds what is new from an offset on behind what was kept; 0 replaces it all. */
function keepReading(
  database: Database,
  transcript: Transcript,
  before: { from: number; sum: number },
): void {
  const { path, rows, pointers, checkpoints, titles, damage, ...rest } = transcript
  const { from } = before
  const isNew = (place: number): boolean => place >= from && place < transcript.end
  const segment: Segment = {
    rows: rows.filter(({ place }) => isNew(place)),
    pointers: pointers.filter(({ place }) => isNew(place)),
    checkpoints: checkpoints.filter(({ place }) => isNew(place)),
    titles: titles.filter(({ place }) => isNew(place)),
    damage: damage.filter(({ offset }) => isNew(offset)),
  }
  const data = serialize(segment)
  const meta = serialize({ ...rest, segments: crc32(data, before.sum) } satisfies Meta)
  transact(database, () => {
    run(database, 'delete from segments where path = ? and start >= ?', path, from)
    run(database, 'insert into segments values (?, ?, ?)', path, from, data)
    run(database, 'insert or replace into readings values (?, ?, ?)', path, crc32(meta), meta)
  })
}

function identityText({ device, inode, size, modified, changed }: FileIdentity): string {
  return `${device}:${inode}:${size}:${modified}:${changed}`
}
