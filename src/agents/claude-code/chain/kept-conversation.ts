import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { one, run, type Database } from '#store'
import type { Turn, TurnId } from '#timeline'
import { digestOf, makeDigest, noteDigest, type Digest } from './digest.ts'
import { describePlain, extendConversation, type Plain } from './extend-conversation.ts'
import type { CheckpointRow, Row, Title } from '../rows/index.ts'
import type { Damage } from '../../open-session.ts'
import type { TurnFacts } from '../../open-session.ts'
import { factsOf, noteFacts } from './turn-facts.ts'
import type { Lists, Transcript } from '../rows/index.ts'
import type { Conversation, TurnRows } from './turns.ts'

/**
 * The cached form of a conversation. It refers to rows by their index, so that reading a few turns
 * loads only their rows.
 */
export interface KeptConversation {
  readonly titles: readonly Title[]
  readonly damage: readonly Damage[]
  readonly checkpoints: Float64Array
  readonly turns: readonly KeptTurn[]
  readonly head: TurnId | null
  readonly kept: TurnId | null
  readonly leaf: number | null
  readonly preamble: Runs
  readonly digest: Digest
  /** Null if it must be rebuilt when the file grows. */
  readonly plain: Plain | null
}

type KeptTurn = readonly [turn: Turn, rows: Runs, asides: Runs, facts: TurnFacts]

/** Start and end of each run of rows that are consecutive in the file. */
type Runs = readonly number[]

export function keepConversation(
  database: Database,
  { transcript, prefix }: { transcript: Transcript; prefix: string },
  conversation: Conversation,
): void {
  const { titles, damage, checkpoints } = transcript
  const places = new Map(transcript.rows.map((row, n) => [row, n]))
  const runsOf = (rows: readonly Row[]): Runs => findRuns(rows, places)
  const kept: KeptConversation = {
    titles,
    damage,
    checkpoints: Float64Array.from(checkpoints.flatMap(({ place, length }) => [place, length])),
    turns: conversation.turns.map((entry) => [
      entry.turn,
      runsOf(entry.rows),
      runsOf(entry.asides),
      factsOf(entry),
    ]),
    head: conversation.head,
    kept: conversation.kept,
    leaf: conversation.leaf === null ? null : places.get(conversation.leaf)!,
    preamble: runsOf(conversation.preamble),
    digest: digestOf(transcript, conversation),
    plain: describePlain(transcript, conversation),
  }
  const data = serialize(kept)
  const sql = 'insert or replace into conversations values (?, ?, ?, ?)'
  run(database, sql, transcript.path, prefix, sumOf(prefix, data), data)
}

/**
 * `prefix` identifies the rows it was built from. Null if nothing is cached or the entry is
 * damaged.
 */
export function loadConversation(
  database: Database,
  path: string,
): { readonly prefix: string; readonly kept: KeptConversation } | null {
  const row = one(database, 'select * from conversations where path = ?', path)
  const prefix = String(row?.['prefix'])
  const data = row?.['data'] as Uint8Array | undefined
  if (data === undefined || sumOf(prefix, data) !== Number(row!['sum'])) return null
  try {
    return { prefix, kept: deserialize(data) as KeptConversation }
  } catch {
    return null
  }
}

/** Covers both: a torn page must not combine the turns of one state with the prefix of another. */
function sumOf(prefix: string, data: Uint8Array): number {
  return crc32(data, crc32(prefix))
}

export function checkpointsIn({ checkpoints }: KeptConversation): CheckpointRow[] {
  return Array.from({ length: checkpoints.length / 2 }, (_, n) => ({
    place: checkpoints[2 * n]!,
    length: checkpoints[2 * n + 1]!,
  }))
}

/**
 * The cached conversation, extended with later rows. Rows load on first access. Null if it has to
 * be rebuilt.
 */
export function openConversation(
  kept: KeptConversation,
  rowAt: (n: number) => Row,
  later: Lists,
): Conversation | null {
  const conversation: Conversation = {
    turns: kept.turns.map((turn) => openTurn(turn, rowAt)),
    head: kept.head,
    kept: kept.kept,
    get leaf() {
      return kept.leaf === null ? null : rowAt(kept.leaf)
    },
    get preamble() {
      return rowsIn(kept.preamble, rowAt)
    },
  }
  noteDigest(conversation, kept.digest)
  if (later.rows.length === 0 && later.pointers.length === 0) return conversation
  const extended = kept.plain && extendConversation(conversation, kept.plain, later)
  if (extended !== null) noteDigest(extended, makeDigest(later.rows, extended, kept.digest))
  return extended
}

function openTurn([turn, runs, asideRuns, facts]: KeptTurn, rowAt: (n: number) => Row): TurnRows {
  let rows: Row[] | undefined
  let asides: Row[] | undefined
  const entry: TurnRows = {
    turn,
    get rows() {
      return (rows ??= rowsIn(runs, rowAt))
    },
    get asides() {
      return (asides ??= rowsIn(asideRuns, rowAt))
    },
  }
  noteFacts(entry, facts)
  return entry
}

function rowsIn(runs: Runs, rowAt: (n: number) => Row): Row[] {
  const rows: Row[] = []
  for (let i = 0; i < runs.length; i += 2)
    for (let n = runs[i]!; n < runs[i + 1]!; n++) rows.push(rowAt(n))
  return rows
}

function findRuns(rows: readonly Row[], places: ReadonlyMap<Row, number>): Runs {
  const runs: number[] = []
  for (const row of rows) {
    const n = places.get(row)!
    if (runs.at(-1) === n) runs[runs.length - 1] = n + 1
    else runs.push(n, n + 1)
  }
  return runs
}
