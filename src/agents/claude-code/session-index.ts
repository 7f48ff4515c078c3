import { deserialize, serialize } from 'node:v8'
import { identityOf, statPath, type FileIdentity } from '#disk'
import { all, one, run, transact, type Cache, type CacheFormat } from '#store'
import type { SessionFile } from './session-files.ts'
import { glance, glanceBuffer, summarize, type SessionSummary } from './summary.ts'
import { readTranscript, type Transcript } from './transcript.ts'

/**
 * What was read of transcripts, kept between processes by file identity and offset. It can be
 * thrown away at any time; without it everything is read again and comes out the same.
 */
export const indexFormat: CacheFormat = {
  version: 4,
  schema: `
    create table files (path text primary key, identity text not null, summary text) strict;
    create table readings (path text primary key, identity text not null, meta blob not null) strict;
    create table segments (
      path text not null, start integer not null, data blob not null, primary key (path, start)
    ) strict;
  `,
}

export interface SessionIndex {
  /** Complete where the file is known or cheap to read; otherwise what its two ends tell. */
  summaries(files: readonly SessionFile[]): SessionSummary[]
  transcript(path: string): Transcript
}

/** Below this a file is read again quicker than its reading is fetched. */
const WORTH_KEEPING = 1024 * 1024
/**
 * What the listing of one project reads of files it does not know: the newest first, the rest at a
 * glance. Of a whole machine's sessions it reads none.
 */
const READ_PER_LISTING = 16 * 1024 * 1024
const ONE_PROJECT = 200

export function openSessionIndex(cache: Cache | null): SessionIndex {
  const read = (path: string): Transcript =>
    cache === null ? readTranscript(path) : readKept(cache, path)
  return {
    transcript: read,
    summaries(files) {
      const known = cache === null ? new Map<string, Kept>() : keptSummaries(cache, files)
      const fresh: { file: SessionFile; summary: SessionSummary }[] = []
      let budget = files.length <= ONE_PROJECT ? READ_PER_LISTING : 0
      const newestFirst = budget === 0 ? files : files.toSorted(byAge)
      const buffer = glanceBuffer()
      const found = new Map<string, SessionSummary>()
      for (const file of newestFirst) {
        const kept = known.get(file.path)
        const same = kept?.identity === identityText(file.identity) ? parseSummary(kept) : null
        const isNew = same === null || (same.counted === null && file.identity.size <= budget)
        const summary = isNew ? readSummary(file, { budget, read, buffer }) : same
        if (summary === null) continue
        found.set(file.path, summary)
        if (!isNew) continue
        fresh.push({ file, summary })
        if (summary.counted !== null) budget -= file.identity.size
      }
      if (cache !== null && fresh.length > 0) keepSummaries(cache, fresh)
      return files.flatMap((file) => found.get(file.path) ?? [])
    },
  }
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

/** Null when what was kept cannot be understood any more. */
function parseSummary({ summary }: Kept): SessionSummary | null {
  try {
    return JSON.parse(summary) as SessionSummary
  } catch {
    return null
  }
}

interface Kept {
  readonly identity: string
  readonly summary: string
}

function keptSummaries({ database }: Cache, files: readonly SessionFile[]): Map<string, Kept> {
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
  { database }: Cache,
  fresh: readonly { file: SessionFile; summary: SessionSummary }[],
): void {
  transact(database, () => {
    for (const { file, summary } of fresh)
      run(
        database,
        'insert or replace into files values (?, ?, ?)',
        file.path,
        identityText(file.identity),
        JSON.stringify(summary),
      )
  })
}

type Segment = Pick<Transcript, 'rows' | 'pointers' | 'checkpoints' | 'titles' | 'damage'>
type Meta = Omit<Transcript, keyof Segment | 'path'>

function readKept(cache: Cache, path: string): Transcript {
  const stat = statPath(path)
  const size = Number(stat?.size ?? 0)
  if (stat === null || size < WORTH_KEEPING) return readTranscript(path)
  const known = loadReading(cache, path)
  const isSame = known !== null && identityText(known.identity) === identityText(identityOf(stat))
  // What stands after the last newline is not kept, because it may be half a row.
  if (isSame && known.end === size) return known
  const transcript = readTranscript(path, known ?? undefined)
  // A reading that went on took over the list of rows.
  const from = known !== null && transcript.rows === known.rows ? known.end : 0
  if (!isSame) keepReading(cache, transcript, from)
  return transcript
}

/** Null when it was never kept, or when what was kept cannot be understood any more. */
function loadReading({ database }: Cache, path: string): Transcript | null {
  const reading = one(database, 'select meta from readings where path = ?', path)
  if (reading === undefined) return null
  const segments = all(database, 'select data from segments where path = ? order by start', path)
  try {
    const meta = deserialize(reading['meta'] as Uint8Array) as Meta
    const parts = segments.map((row) => deserialize(row['data'] as Uint8Array) as Segment)
    return {
      path,
      ...meta,
      rows: parts.flatMap((part) => part.rows),
      pointers: parts.flatMap((part) => part.pointers),
      checkpoints: parts.flatMap((part) => part.checkpoints),
      titles: parts.flatMap((part) => part.titles),
      damage: parts.flatMap((part) => part.damage),
    }
  } catch {
    return null
  }
}

/** Adds what is new from an offset on behind what was kept; 0 replaces it all. */
function keepReading({ database }: Cache, transcript: Transcript, from: number): void {
  const { path, rows, pointers, checkpoints, titles, damage, ...meta } = transcript
  const isNew = (place: number): boolean => place >= from && place < transcript.end
  const segment: Segment = {
    rows: rows.filter(({ place }) => isNew(place)),
    pointers: pointers.filter(({ place }) => isNew(place)),
    checkpoints: checkpoints.filter(({ place }) => isNew(place)),
    titles: titles.filter(({ place }) => isNew(place)),
    damage: damage.filter(({ offset }) => isNew(offset)),
  }
  transact(database, () => {
    run(database, 'delete from segments where path = ? and start >= ?', path, from)
    run(database, 'insert into segments values (?, ?, ?)', path, from, serialize(segment))
    run(
      database,
      'insert or replace into readings values (?, ?, ?)',
      path,
      identityText(transcript.identity),
      serialize(meta satisfies Meta),
    )
  })
}

function identityText({ device, inode, size, modified, changed }: FileIdentity): string {
  return `${device}:${inode}:${size}:${modified}:${changed}`
}
