import { callsAbove } from './batches.ts'
import { chainTo } from './chain.ts'
import { foldBoundaries } from './fold-boundaries.ts'
import { buildGraph, isMessage, walkUp, type RowGraph } from './row-graph.ts'
import type { Pointer, Row } from '../rows/index.ts'

/**
 * Where Claude Code would resume. The rules were measured with the real program, and a test
 * compares them with what it sends to the model; CC numbers identify them.
 *
 * CC1  The newest pointer counts. Later rows that descend from its target move it forward.
 * CC2  An explicit pointer with no row after it is obeyed exactly.
 * CC3  Without a usable pointer the last row of the file counts.
 * CC4  `leafUuid: null` with `explicit` empties the conversation until the next row.
 * CC5  A compaction boundary invalidates older pointers and removes the rows before it, except
 *      preserved ones, which are linked after the boundary's anchor (fold-boundaries.ts).
 * CC6  The leaf is the nearest user or assistant row at or above that row; if there is none, the
 *      newest tip of all lines.
 * CC7  Without any pointer: unless the last row is the newest by time, its newest descendant
 *      counts.
 * CC8  If the resulting leaf is a subagent's row, there is no conversation.
 * CC9  On the path up, a missing parent is bridged by time (time-bridge.ts).
 * CC10 Parallel tool calls next to the path are sent too (batches.ts).
 * CC11 Only the first value of a line counts, and only at the start of the line (read-line.ts).
 */
export interface Resume {
  /** The row where the conversation ends; null if it is empty. */
  readonly leaf: Row | null
  /** From the first row that the agent sends to the leaf. Excludes rows before a boundary. */
  readonly chain: readonly Row[]
  /** Rows on the path to the leaf whose named parent was not followed, and the row used instead. */
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

/** The state after reading rows and pointers in file order. */
export interface Followed {
  pointer: string | null
  /** Explicit, and no row was written since. */
  pointerIsFresh: boolean
  /** Was explicit at least once for this target. */
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

/** Processes rows and pointers in order, from the start of the file or from an earlier state. */
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
  // After a boundary that preserved rows, a plain pointer counts only at a tip. If there is only
  // one line, its tip counts, whatever was written last.
  const tips = preserving ? findTips(graph) : null
  if (tips?.size === 1) return [...tips][0]!
  const counts = pointed !== undefined && (tips === null || tips.has(pointed))
  if (counts && (last === null || !carriesOn(graph, last, pointed, state))) return pointed
  if (!preserving && !state.anyPointer && last !== null) return newestBelow(graph, last) ?? last
  return last
}

/** CC7. Null if the row is the newest of all, or has no descendants. */
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

/** The pointer's target, unless no message is at or above it. */
function findPointed(graph: RowGraph, uuid: string | null): Row | undefined {
  const row = uuid === null ? undefined : graph.rows.get(uuid)
  return row === undefined || messageAbove(graph, row) === null ? undefined : row
}

/** The last messages of all lines: no message descends from them. */
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

/** The newest by time; the first one among equals. Rows without a time never count. */
function newestOf(rows: Iterable<Row>): Row | null {
  let newest: Row | null = null
  let latest = -Infinity
  for (const row of rows) {
    const time = Date.parse(row.at ?? '')
    if (time > latest) [newest, latest] = [row, time]
  }
  return newest
}

/** CC1: the last row continues the pointer's target, possibly through a parallel tool call. */
function carriesOn(graph: RowGraph, last: Row, pointed: Row, state: Followed): boolean {
  if (descends(graph, last, pointed.uuid)) return true
  if (state.pointerWasExplicit) return false
  // Results of parallel calls are siblings: a pointer to one of them and a conversation that
  // continued from another are the same line.
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
