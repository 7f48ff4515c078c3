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

/** Where a reading ended, and the sum over the list of its parts. */
interface Meta extends Omit<Transcript, keyof Lists | 'path'> {
  readonly parts: number
}

/** How the cache has a transcript that this process read. */
interface Kept {
  readonly parts: readonly Part[]
  /** Rows that the kept conversation does not have yet; null when it could not go on with them. */
  readonly behind: number | null
  /** There is a kept conversation. */
  readonly hadOne: boolean
}

const kept = new WeakMap<Transcript, Kept>()

/** Reads a transcript as far as the cache does not have it, and keeps what is new. */
export function readKept(cache: Cache, path: string, identity: FileIdentity): Transcript {
  const found = load(cache, path)
  if (found === null) return readAnew(cache, path)
  const { meta, parts, conversation } = found
  const { parts: _, ...ended } = meta
  const isSame = identityText(meta.identity) === identityText(identity)
  // What stands after the last newline is not kept, because it may be half a row.
  const appended = isSame && meta.end === identity.size ? null : readAppended({ path, ...ended })
  if (appended === null && !(isSame && meta.end === identity.size)) return readAnew(cache, path)
  const segments = openSegments(cache, path, { parts, end: meta.end })
  if (conversation === null && !segments.areSound()) return readAnew(cache, path)
  const transcript = joinTranscript({ path, ...ended }, appended, segments, conversation)
  const all = appended === null ? parts : keepReading(cache, appended, { parts, from: meta.end })
  const behind = kept.get(transcript)?.behind ?? null
  kept.set(transcript, { parts: all, behind, hadOne: conversation !== null })
  return transcript
}

function readAnew(cache: Cache, path: string): Transcript {
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

/** Null when the cache has nothing of it, or when that is damaged. */
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

/** Names the rows of these parts. */
function prefixOf(parts: readonly Part[]): string {
  return `${parts.length} ${sumOf(parts)}`
}

/** What the cache has with what was appended; rows of a kept conversation are loaded when needed. */
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

/** Adds what is new behind these parts. */
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

/** So many rows more are quicker to add to the kept conversation than to keep it again. */
const MOST_BEHIND = 512
/** A file that an agent is writing has changed again before the next look. */
const QUIET = 3000

export function keepConversationOf(
  cache: Cache,
  transcript: Transcript,
  conversation: Conversation,
  now: number,
): void {
  const known = kept.get(transcript)
  if (known === undefined || known.parts.length === 0) return
  const { parts, behind, hadOne } = known
  const isKept = behind !== null && behind < MOST_BEHIND
  const isBusy = hadOne && now - Number(transcript.identity.modified / 1_000_000n) < QUIET
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
