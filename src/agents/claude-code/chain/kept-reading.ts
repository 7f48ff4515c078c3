import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import type { FileIdentity } from '#disk'
import { all, one, readTogether, run, transact, type Cache, type Database } from '#store'
import {
  checkpointsIn,
  keepConversation,
  loadConversation,
  openConversation,
  type KeptConversation,
} from './kept-conversation.ts'
import type { Pointer, Row } from '../rows/index.ts'
import { cutSegments, joinLists, openSegments, type Part, type Segments } from '../rows/index.ts'
import { readAppended, readTranscript, type Lists, type Transcript } from '../rows/index.ts'
import { noteConversation, type Conversation } from './turns.ts'

/** Where a reading ended, and a checksum of its list of parts. */
interface Meta extends Omit<Transcript, keyof Lists | 'path'> {
  readonly parts: number
}

/** The cache entries of a transcript that this process read. */
interface Kept {
  readonly parts: readonly Part[]
  /** The number of rows that the cached conversation lacks; null if it could not be extended. */
  readonly behind: number | null
  /** Whether the cache has a conversation. */
  readonly hadOne: boolean
}

const kept = new WeakMap<Transcript, Kept>()

/** Reads what the cache does not have of a transcript, and caches it. */
export function readKept(cache: Cache, path: string, identity: FileIdentity): Transcript {
  const found = load(cache, path)
  if (found === null) return readAll(cache, path)
  const { meta, parts, conversation } = found
  const { parts: _, ...ended } = meta
  const isSame = identityText(meta.identity) === identityText(identity)
  // Bytes after the last newline are not cached, because they may be half a row.
  const appended = isSame && meta.end === identity.size ? null : readAppended({ path, ...ended })
  if (appended === null && !(isSame && meta.end === identity.size)) return readAll(cache, path)
  const segments = openSegments(cache, path, { parts, end: meta.end })
  if (conversation === null && !segments.areSound()) return readAll(cache, path)
  const transcript = joinTranscript({ path, ...ended }, appended, segments, conversation)
  const all = appended === null ? parts : keepReading(cache, appended, { parts, from: meta.end })
  const behind = kept.get(transcript)?.behind ?? null
  kept.set(transcript, { parts: all, behind, hadOne: conversation !== null })
  return transcript
}

function readAll(cache: Cache, path: string): Transcript {
  const transcript = readTranscript(path)
  const parts = keepReading(cache, transcript, { parts: [], from: 0 })
  kept.set(transcript, { parts, behind: null, hadOne: false })
  return transcript
}

interface Found {
  readonly meta: Meta
  readonly parts: readonly Part[]
  readonly conversation: { readonly kept: KeptConversation; readonly parts: number } | null
}

/** Null if the cache has no entry, or a damaged one. */
function load(cache: Cache, path: string): Found | null {
  return cache.attempt((database) =>
    readTogether(database, () => {
      const found = loadMeta(database, path)
      if (found === null) return null
      const conversation = loadConversation(database, path)
      const count = Number(conversation?.prefix.split(' ')[0])
      const isOfThese = conversation?.prefix === prefixOf(found.parts.slice(0, count))
      return { ...found, conversation: isOfThese ? { ...conversation, parts: count } : null }
    }),
  )
}

function loadMeta(database: Database, path: string): Omit<Found, 'conversation'> | null {
  const reading = one(database, 'select meta, sum from readings where path = ?', path)
  if (reading === undefined) return null
  const blob = reading['meta'] as Uint8Array
  if (crc32(blob) !== Number(reading['sum'])) return null
  const sql = 'select start, rows, sum from segments where path = ? order by start'
  const parts = all(database, sql, path) as unknown as Part[]
  try {
    const meta = deserialize(blob) as Meta
    return meta.parts === sumOf(parts) ? { meta, parts } : null
  } catch {
    return null
  }
}

function sumOf(parts: readonly Part[]): number {
  return crc32(parts.map(({ start, rows, sum }) => `${start}:${rows}:${sum}`).join())
}

/** Identifies the rows of these parts. */
function prefixOf(parts: readonly Part[]): string {
  return `${parts.length} ${sumOf(parts)}`
}

/** Combines the cache with appended rows; rows of a cached conversation load on first access. */
function joinTranscript(
  ended: Omit<Transcript, keyof Lists>,
  appended: Transcript | null,
  segments: Segments,
  known: Found['conversation'],
): Transcript {
  const fresh = appended === null ? [] : [appended]
  const { path, identity, end, sample, opaque, opaqueBytes, blankBytes, tail } = appended ?? ended
  const now = { path, identity, end, sample, opaque, opaqueBytes, blankBytes, tail }
  if (known === null) return { ...now, ...joinLists([segments.load(0), ...fresh]) }
  const later = joinLists([segments.load(known.parts), ...fresh])
  let rows: Row[] | undefined
  let pointers: Pointer[] | undefined
  const whole = (): Lists => joinLists([segments.load(0), ...fresh])
  const transcript: Transcript = {
    ...now,
    checkpoints: [...checkpointsIn(known.kept), ...later.checkpoints],
    titles: [...known.kept.titles, ...later.titles],
    damage: [...known.kept.damage, ...later.damage],
    get rows() {
      return (rows ??= whole().rows)
    },
    get pointers() {
      return (pointers ??= whole().pointers)
    },
  }
  const conversation = openConversation(known.kept, segments.rowAt, later)
  if (conversation !== null) {
    noteConversation(transcript, conversation)
    kept.set(transcript, { parts: [], behind: later.rows.length, hadOne: true })
  }
  return transcript
}

/** Caches new rows after these parts. */
function keepReading(
  cache: Cache,
  transcript: Transcript,
  { parts, from }: { parts: readonly Part[]; from: number },
): readonly Part[] {
  const { path, rows, pointers, checkpoints, titles, damage, ...rest } = transcript
  const lists = { rows, pointers, checkpoints, titles, damage }
  const added = transcript.end === from ? [] : cutSegments(lists, from, transcript.end)
  const all = [
    ...parts,
    ...added.map(({ start, rows: count, sum }) => ({ start, rows: count, sum })),
  ]
  const meta = serialize({ ...rest, parts: sumOf(all) } satisfies Meta)
  cache.attempt((database) =>
    transact(database, () => {
      run(database, 'delete from segments where path = ? and start >= ?', path, from)
      for (const { start, rows: count, sum, data } of added)
        run(database, 'insert into segments values (?, ?, ?, ?, ?)', path, start, count, sum, data)
      run(database, 'insert or replace into readings values (?, ?, ?)', path, crc32(meta), meta)
    }),
  )
  return all
}

/** Up to this many rows, extending the cached conversation is faster than writing it again. */
const MAX_ROWS_BEHIND = 512
/** In ms. A file that an agent is writing changes again before the next read. */
const QUIET_MS = 3000

export function keepConversationOf(
  cache: Cache,
  transcript: Transcript,
  conversation: Conversation,
  now: number,
): void {
  const known = kept.get(transcript)
  if (known === undefined || known.parts.length === 0) return
  const { parts, behind, hadOne } = known
  const isKept = behind !== null && behind < MAX_ROWS_BEHIND
  const isBusy = hadOne && now - Number(transcript.identity.modified / 1_000_000n) < QUIET_MS
  const isTorn = transcript.end !== transcript.identity.size
  if (isKept || isTorn || (behind === null && isBusy)) return
  kept.set(transcript, { parts, behind: 0, hadOne: true })
  cache.attempt((database) =>
    transact(database, () =>
      keepConversation(database, { transcript, prefix: prefixOf(parts) }, conversation),
    ),
  )
}

export function identityText({ device, inode, size, modified, changed }: FileIdentity): string {
  return `${device}:${inode}:${size}:${modified}:${changed}`
}
