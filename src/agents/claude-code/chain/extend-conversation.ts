import { crc32 } from 'node:zlib'
import type { Turn, TurnId } from '#timeline'
import { follow, type Followed } from './resume.ts'
import { isMessage } from './row-graph.ts'
import type { Pointer, Row } from '../rows/index.ts'
import type { Transcript } from '../rows/index.ts'
import { isPrompt, type Conversation, type TurnRows } from './turns.ts'

/**
 * What is known of the rows of a plain transcript, so that its conversation can be extended without
 * loading them. Plain: every row has a unique id and a parent before it, and none is special (a
 * boundary, a subagent's row, damaged). Most transcripts are; others are rebuilt when they grow.
 */
export interface Plain {
  /** A checksum of each row's id. */
  readonly ids: Uint32Array
  /** The last row by its id only, and whether it descends from the pointer's target. */
  readonly followed: Omit<Followed, 'lastRow'> & {
    readonly last: string | null
    readonly carriesOn: boolean
  }
}

/** Null if the transcript is not plain. */
export function describePlain(
  { rows, pointers }: Pick<Transcript, 'rows' | 'pointers'>,
  { preamble }: Conversation,
): Plain | null {
  // A note outside all turns marks a prompt that was kept without its answer (kept-prompts.ts).
  if (preamble.some(isNote)) return null
  const seen = new Map<string, Row>()
  for (const row of rows) {
    const isLoose = row.parent !== null && !seen.has(row.parent)
    if (isLoose || isSpecial(row) || seen.has(row.uuid)) return null
    seen.set(row.uuid, row)
  }
  const { lastRow, ...followed } = follow(rows, pointers)
  const pointed = followed.pointer === null ? undefined : seen.get(followed.pointer)
  const carriesOn =
    pointed !== undefined &&
    messageAbove(pointed, seen) !== null &&
    lastRow !== null &&
    climbTo(pointed.place, lastRow, seen) === pointed
  const ids = Uint32Array.from(rows, ({ uuid }) => crc32(uuid))
  return { ids, followed: { ...followed, last: lastRow?.uuid ?? null, carriesOn } }
}

/** The first ancestor at or before `place`; undefined if the path ends before that. */
function climbTo(place: number, from: Row, rows: ReadonlyMap<string, Row>): Row | undefined {
  let at: Row | undefined = from
  while (at !== undefined && at.place > place)
    at = at.parent === null ? undefined : rows.get(at.parent)
  return at
}

function messageAbove(row: Row, rows: ReadonlyMap<string, Row>): Row | null {
  let at: Row | undefined = row
  while (at !== undefined && !isMessage(at))
    at = at.parent === null ? undefined : rows.get(at.parent)
  return at ?? null
}

function isSpecial({ skipped, sidechain, type, boundary, subtype }: Row): boolean {
  const isPassedOver = subtype === 'file_snapshot' || subtype === 'fork_briefing'
  return skipped || sidechain || type === 'progress' || boundary !== null || isPassedOver
}

/** New rows continue one of the last turns, or the head; searching more turns is slow. */
const NEAR_TURNS = 4

/**
 * The conversation with appended rows, equal to one rebuilt from all rows. Null if these rows alone
 * are not enough.
 */
export function extendConversation(
  known: Conversation,
  { ids, followed }: Plain,
  fresh: { readonly rows: readonly Row[]; readonly pointers: readonly Pointer[] },
): Conversation | null {
  const near = known.turns.filter(
    ({ turn }, n) => n >= known.turns.length - NEAR_TURNS || turn.id === known.head,
  )
  const groupOf = new Map<string, Group>()
  const rowOf = new Map<string, Row>()
  const add = (row: Row, group: Group): void => {
    rowOf.set(row.uuid, row)
    groupOf.set(row.uuid, group)
  }
  for (const entry of near) {
    const group: Group = { entry, rows: [...entry.rows], parent: entry.turn.parent }
    for (const row of entry.rows) add(row, group)
  }
  const knownIds = new Set(ids)
  const begun: Group[] = []
  const touched = new Set<Group>()
  for (const row of fresh.rows) {
    const above = row.parent === null ? undefined : groupOf.get(row.parent)
    if (above === undefined || isSpecial(row) || hasNote(above) || isNote(row)) return null
    if (rowOf.has(row.uuid) || knownIds.has(crc32(row.uuid))) return null
    const group = isPrompt(row) ? { entry: null, rows: [], parent: idOf(above) } : above
    if (group !== above) begun.push(group)
    group.rows.push(row)
    touched.add(group)
    add(row, group)
  }
  const state = follow(fresh.rows, fresh.pointers, openFollowed(followed, rowOf))
  const leaf = findLeaf(state, {
    rowOf,
    isThere: (uuid) => rowOf.has(uuid) || knownIds.has(crc32(uuid)),
    goesOn: (row) => goesOnFrom(followed, state, rowOf, row),
  })
  const end = leaf === null ? undefined : groupOf.get(leaf.uuid)
  if (leaf === null || end === undefined || hasNote(end)) return null
  const grown = new Map([...touched].map((group) => [group.entry, group]))
  return {
    turns: [
      ...known.turns.map((entry) => {
        const group = grown.get(entry)
        return group === undefined ? entry : withRows(entry, group.rows)
      }),
      ...begun.map(({ rows, parent }) => newTurn(rows, parent)),
    ],
    head: idOf(end),
    leaf,
    get preamble() {
      return known.preamble
    },
    kept: null,
  }
}

interface Group {
  /** The existing turn; null for a new one. */
  readonly entry: TurnRows | null
  readonly rows: Row[]
  readonly parent: TurnId | null
}

function idOf({ entry, rows }: Group): TurnId {
  return entry?.turn.id ?? (rows[0]!.uuid as TurnId)
}

function isNote({ subtype }: Row): boolean {
  return subtype === 'informational'
}

function hasNote({ rows }: Group): boolean {
  return rows.some(isNote)
}

function openFollowed(followed: Plain['followed'], rowOf: ReadonlyMap<string, Row>): Followed {
  const { last } = followed
  return { ...followed, lastRow: (last !== null && rowOf.get(last)) || null }
}

/** Whether a row descends from the former last row, which descended from the same pointer. */
function goesOnFrom(
  before: Plain['followed'],
  { pointer }: Followed,
  rowOf: ReadonlyMap<string, Row>,
  row: Row,
): boolean {
  const last = before.last === null ? undefined : rowOf.get(before.last)
  if (!before.carriesOn || pointer !== before.pointer || last === undefined) return false
  return climbTo(last.place, row, rowOf) === last
}

/** Same as `chooseLeaf` in resume.ts, for a plain transcript; null if older rows would decide. */
function findLeaf(
  { pointer, pointerIsFresh, pointerWasExplicit, lastRow, anyPointer, cleared }: Followed,
  {
    rowOf,
    isThere,
    goesOn,
  }: {
    rowOf: ReadonlyMap<string, Row>
    isThere: (uuid: string) => boolean
    goesOn: (row: Row) => boolean
  },
): Row | null {
  if (cleared || !anyPointer || lastRow === null) return null
  if (pointer === null || !isThere(pointer)) return messageAbove(lastRow, rowOf)
  if (!pointerIsFresh && goesOn(lastRow)) return messageAbove(lastRow, rowOf)
  const pointed = rowOf.get(pointer)
  if (pointed === undefined || messageAbove(pointed, rowOf) === null) return null
  if (pointerIsFresh) return messageAbove(pointed, rowOf)
  const at = climbTo(pointed.place, lastRow, rowOf)
  if (at === undefined) return null
  if (at === pointed) return messageAbove(lastRow, rowOf)
  return pointerWasExplicit ? messageAbove(pointed, rowOf) : null
}

function withRows({ turn, asides }: TurnRows, rows: readonly Row[]): TurnRows {
  return { turn: { ...turn, ...saidIn(rows) }, rows, asides }
}

function newTurn(rows: readonly Row[], parent: TurnId | null): TurnRows {
  const [first] = rows
  const { kind, text } = first!.prompt!
  const turn: Turn = {
    id: first!.uuid as TurnId,
    parent,
    kind: kind === 'typed' ? 'prompt' : (kind as 'command'),
    prompt: text,
    at: first!.at,
    ...saidIn(rows),
    parentMissing: false,
    summarized: false,
    kept: null,
  }
  return { turn, rows, asides: [] }
}

function saidIn(rows: readonly Row[]): Pick<Turn, 'absorbed' | 'interrupted'> {
  return {
    absorbed: rows.flatMap((row) => row.absorbed ?? []),
    interrupted: rows.some((row) => row.prompt?.role === 'interrupt'),
  }
}
