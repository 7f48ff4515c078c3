import { callsAbove } from './batches.ts'
import { chainTo } from './chain.ts'
import { foldBoundaries } from './fold-boundaries.ts'
import { buildGraph, isMessage, walkUp, type RowGraph } from './row-graph.ts'
import type { Pointer, Row } from '../rows/index.ts'

/**
 * Where Claude Code would resume. The rules were measured on the real program and are held by a
 * test that compares with what it sends to the model; CC-numbers name them.
 *
 * CC1  The newest pointer counts. Rows written after it that descend from its target carry it on.
 * CC2  An explicit pointer with no row after it is obeyed to the letter.
 * CC3  Without a usable pointer the last row of the file counts.
 * CC4  `leafUuid: null` with `explicit` empties the conversation until the next row.
 * CC5  A compaction boundary voids older pointers; rows before it are gone, except preserved ones,
 *      which are linked in behind the boundary's anchor (fold-boundaries.ts).
 * CC6  The leaf is the nearest user or assistant row above the row so found; if there is none, the
 *      newest of all lines' ends.
 * CC7  No pointer at all: unless the last row is the newest by time, its newest descendant counts.
 * CC8  Where the leaf so found is a subagent's row, there is no conversation.
 * CC9  On the way up a parent that is missing is bridged by time (time-bridge.ts).
 * CC10 Parallel tool calls beside the way are sent too (batches.ts).
 * CC11 Of a line only its first value counts, and only at the line's beginning (read-line.ts).
 */
export interface Resume {
  /** The row the conversation ends at; null when it is empty. */
  readonly leaf: Row | null
  /** From the first row the agent sees to the leaf. Rows before a boundary are not in it. */
  readonly chain: readonly Row[]
  /** Rows on the way to the leaf whose named parent was not followed, and what was instead. */
  readonly strayed: ReadonlyMap<Row, Row | null>
}

const NOTHING: Resume = { leaf: null, chain: [], strayed: new Map() }

export function findResume(all: readonly Row[], pointers: readonly Pointer[]): Resume {
  const rows = all.filter((row) => !row.skipped)
  const state = follow(rows, pointers)
  if (state.cleared) return NOTHING
  const graph = buildGraph(rows)
  const preservedTail = foldBoundaries(graph)
  const leaf = chooseLeaf(graph, state, preservedTail !== null)
  if (leaf === null) return NOTHING
  const { rows: chain, strayed } = chainTo(graph, leaf)
  return { leaf, chain, strayed }
}

/** What rows and pointers say, in the order they were written. */
export interface Followed {
  pointer: string | null
  /** Explicit, and no row was written since. */
  pointerIsFresh: boolean
  /** Explicit once, for this target. */
  pointerWasExplicit: boolean
  lastRow: Row | null
  anyPointer: boolean
  cleared: boolean
}

const START: Followed = {
  pointer: null,
  pointerIsFresh: false,
  pointerWasExplicit: false,
  lastRow: null,
  anyPointer: false,
  cleared: false,
}

/** Goes through rows and pointers once, from the beginning of the file or from where it was. */
export function follow(
  rows: readonly Row[],
  pointers: readonly Pointer[],
  from: Followed = START,
): Followed {
  const state = { ...from }
  let next = 0
  const passPointers = (until: number): void => {
    for (; next < pointers.length && pointers[next]!.place < until; next++)
      followPointer(state, pointers[next]!)
  }
  for (const row of rows) {
    passPointers(row.place)
    if (row.type !== 'progress') followRow(state, row)
  }
  passPointers(Infinity)
  return state
}

function followPointer(state: Followed, { leaf, explicit }: Pointer): void {
  state.anyPointer = true
  if (leaf !== null && leaf !== '') {
    const same = leaf === state.pointer
    state.pointerIsFresh = explicit || (state.pointerIsFresh && same)
    state.pointerWasExplicit = explicit || (state.pointerWasExplicit && same)
    state.pointer = leaf
    state.cleared = false
  } else if (leaf === null && explicit) {
    state.cleared = true
    state.pointer = null
    state.pointerIsFresh = state.pointerWasExplicit = false
  }
}

function followRow(state: Followed, row: Row): void {
  if (!row.sidechain && row.subtype !== 'file_snapshot' && row.subtype !== 'fork_briefing') {
    state.lastRow = row
    state.pointerIsFresh = false
    state.cleared = false
  }
  if (row.boundary !== null) {
    state.pointer = null
    state.pointerIsFresh = state.pointerWasExplicit = false
  }
}

function chooseLeaf(graph: RowGraph, state: Followed, preserving: boolean): Row | null {
  const target = chooseTarget(graph, state, preserving)
  const leaf = (target && messageAbove(graph, target)) ?? newestOf(mainOnly(findTips(graph)))
  // CC8
  return leaf === null || leaf.sidechain ? null : leaf
}

function chooseTarget(graph: RowGraph, state: Followed, preserving: boolean): Row | null {
  const pointed = findPointed(graph, state.pointer)
  const last = state.lastRow && (graph.rows.get(state.lastRow.uuid) ?? null)
  if (pointed !== undefined && state.pointerIsFresh && !pointed.sidechain) return pointed
  // Behind a boundary that preserved rows, a plain pointer counts at the end of a line only; and
  // where there is but one line, its end counts whatever was written last.
  const tips = preserving ? findTips(graph) : null
  if (tips?.size === 1) return [...tips][0]!
  const counts = pointed !== undefined && (tips === null || tips.has(pointed))
  if (counts && (last === null || !carriesOn(graph, last, pointed, state))) return pointed
  if (!preserving && !state.anyPointer && last !== null) return newestBelow(graph, last) ?? last
  return last
}

/** CC7. Null when the row is the newest of all, or nothing hangs on it. */
function newestBelow(graph: RowGraph, last: Row): Row | null {
  const rows = mainOnly(graph.rows.values())
  if (newestOf(rows) === last) return null
  const below = new Set<Row>([last])
  const beside = new Set<Row>()
  for (const row of rows) {
    const way: Row[] = []
    let isBelow = false
    for (const at of walkUp(graph, row.uuid)) {
      isBelow = below.has(at)
      if (isBelow || beside.has(at)) break
      way.push(at)
    }
    for (const at of way) (isBelow ? below : beside).add(at)
  }
  below.delete(last)
  return newestOf(mainOnly(below))
}

/** What is pointed at, unless there is nothing to say up there. */
function findPointed(graph: RowGraph, uuid: string | null): Row | undefined {
  const row = uuid === null ? undefined : graph.rows.get(uuid)
  return row === undefined || messageAbove(graph, row) === null ? undefined : row
}

/** The messages at the ends of all lines: no row hangs on them but such as are no messages. */
function findTips(graph: RowGraph): Set<Row> {
  const parents = new Set<string | null | undefined>()
  const answered = new Set<string | null | undefined>()
  for (const [uuid, row] of graph.rows) {
    parents.add(graph.parents.get(uuid))
    if (isMessage(row)) answered.add(graph.parents.get(uuid))
  }
  const tips = new Set<Row>()
  const passed = new Set<Row>()
  for (const row of graph.rows.values()) {
    if (parents.has(row.uuid)) continue
    for (const at of walkUp(graph, row.uuid)) {
      if (passed.has(at)) break
      passed.add(at)
      if (!isMessage(at)) continue
      if (!answered.has(at.uuid)) tips.add(at)
      break
    }
  }
  return tips
}

function mainOnly(rows: Iterable<Row>): Row[] {
  return [...rows].filter((row) => !row.sidechain)
}

/** The newest by time, and of several the first; a row without a time never counts. */
function newestOf(rows: Iterable<Row>): Row | null {
  let newest: Row | null = null
  let latest = -Infinity
  for (const row of rows) {
    const time = Date.parse(row.at ?? '')
    if (time > latest) [newest, latest] = [row, time]
  }
  return newest
}

/** CC1: the last row continues what the pointer names, if need be from a parallel tool call. */
function carriesOn(graph: RowGraph, last: Row, pointed: Row, state: Followed): boolean {
  if (descends(graph, last, pointed.uuid)) return true
  if (state.pointerWasExplicit) return false
  // Results of parallel calls are siblings: a pointer at one of them and a conversation that went
  // on from another are the same line.
  const calls = callsAbove(graph, pointed)
  if (calls.size === 0) return false
  for (const row of walkUp(graph, last.uuid)) if (calls.has(row)) return true
  return false
}

function descends(graph: RowGraph, row: Row, ancestor: string): boolean {
  for (const at of walkUp(graph, row.uuid)) if (at.uuid === ancestor) return true
  return false
}

function messageAbove(graph: RowGraph, row: Row): Row | null {
  for (const at of walkUp(graph, row.uuid)) if (isMessage(at)) return at
  return null
}
