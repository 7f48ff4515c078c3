import type { Pointer, Row } from './row.ts'

/**
 * Where Claude Code would resume. The rules were measured on the real program and are held by a
 * test that compares with what it sends to the model; CC-numbers name them.
 *
 * CC1  The newest pointer counts. Rows written after it that descend from its target carry it on.
 * CC2  An explicit pointer with no row after it is obeyed to the letter.
 * CC3  Without a usable pointer the last row of the file counts.
 * CC4  `leafUuid: null` with `explicit` empties the conversation until the next row.
 * CC5  A compaction boundary voids older pointers; rows before it are gone, except preserved ones,
 *      which are linked in behind the boundary's anchor.
 * CC6  The leaf is the nearest user or assistant row above the row so found.
 * CC7  No pointer at all: if the newest row by time descends from the last, it counts instead.
 */
export interface Resume {
  /** The row the conversation ends at; null when it is empty. */
  readonly leaf: Row | null
  /** From the first row the agent sees to the leaf. Rows before a boundary are not in it. */
  readonly chain: readonly Row[]
}

export function findResume(rows: readonly Row[], pointers: readonly Pointer[]): Resume {
  const state = follow(rows, pointers)
  if (state.cleared) return { leaf: null, chain: [] }
  const graph = buildGraph(rows)
  const preservedTail = foldBoundaries(graph)
  const target = chooseTarget(graph, state, preservedTail)
  const leaf = target === null ? null : messageAbove(graph, target)
  return { leaf, chain: leaf === null ? [] : chainTo(graph, leaf) }
}

interface Followed {
  pointer: string | null
  /** Explicit, and no row was written since. */
  pointerIsFresh: boolean
  /** Explicit once, for this target. */
  pointerWasExplicit: boolean
  lastRow: Row | null
  newestRow: Row | null
  anyPointer: boolean
  cleared: boolean
}

/** Goes through the file once, rows and pointers in the order they were written. */
function follow(rows: readonly Row[], pointers: readonly Pointer[]): Followed {
  const state: Followed = {
    pointer: null,
    pointerIsFresh: false,
    pointerWasExplicit: false,
    lastRow: null,
    newestRow: null,
    anyPointer: false,
    cleared: false,
  }
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
    if (row.at !== null && row.at > (state.newestRow?.at ?? '')) state.newestRow = row
    state.pointerIsFresh = false
    state.cleared = false
  }
  if (row.boundary !== null) {
    state.pointer = null
    state.pointerIsFresh = state.pointerWasExplicit = false
  }
}

/** Rows by uuid with the parents that count after folding. A later row replaces an earlier one. */
interface Graph {
  readonly rows: Map<string, Row>
  readonly parents: Map<string, string | null>
}

function buildGraph(rows: readonly Row[]): Graph {
  const graph: Graph = { rows: new Map(), parents: new Map() }
  // Old versions chained progress rows; the conversation goes through to their parent.
  const bridged = new Map<string, string | null>()
  for (const row of rows) {
    const parent =
      row.parent !== null && bridged.has(row.parent) ? bridged.get(row.parent)! : row.parent
    if (row.type === 'progress') bridged.set(row.uuid, parent)
    else {
      graph.rows.set(row.uuid, row)
      graph.parents.set(row.uuid, parent)
    }
  }
  return graph
}

/** CC5. Returns the last preserved row, or null when nothing was preserved. */
function foldBoundaries(graph: Graph): string | null {
  const order = [...graph.rows.keys()]
  const last = order.findLastIndex((uuid) => graph.rows.get(uuid)!.boundary !== null)
  const folding = order.findLastIndex((uuid) => {
    const boundary = graph.rows.get(uuid)!.boundary
    return boundary !== null && (boundary.preserved !== null || boundary.segment !== null)
  })
  if (folding === -1) return null
  const kept = folding === last ? preservedBy(graph, order[folding]!) : { anchor: '', uuids: [] }
  if (kept === null || kept.uuids.some((uuid) => !graph.rows.has(uuid))) return null
  const tail = kept.uuids.at(-1) ?? null
  if (tail !== null) relink(graph, kept, tail)

  const preserved = new Set(kept.uuids)
  const gone = new Set(order.slice(0, last).filter((uuid) => !preserved.has(uuid)))
  for (const uuid of gone) graph.rows.delete(uuid)
  if (tail !== null)
    for (const [uuid, row] of graph.rows) {
      const parent = graph.parents.get(uuid)
      if (isMessage(row) && parent != null && gone.has(parent)) graph.parents.set(uuid, tail)
    }
  return tail
}

/** The preserved rows run from the anchor; what hung on the anchor now hangs on the last of them. */
function relink(
  graph: Graph,
  { anchor, uuids }: { anchor: string; uuids: readonly string[] },
  tail: string,
): void {
  let before = anchor
  for (const uuid of uuids) {
    graph.parents.set(uuid, before)
    before = uuid
  }
  for (const uuid of graph.rows.keys())
    if (graph.parents.get(uuid) === anchor && uuid !== uuids[0]) graph.parents.set(uuid, tail)
}

function preservedBy(
  graph: Graph,
  uuid: string,
): { anchor: string; uuids: readonly string[] } | null {
  const { preserved, segment } = graph.rows.get(uuid)!.boundary!
  if (preserved !== null) return preserved
  const uuids: string[] = []
  for (const at of walkUp(graph, segment!.tail)) {
    uuids.unshift(at.uuid)
    if (at.uuid === segment!.head) return { anchor: segment!.anchor, uuids }
  }
  return null
}

function chooseTarget(graph: Graph, state: Followed, preservedTail: string | null): Row | null {
  const pointed = state.pointer === null ? undefined : graph.rows.get(state.pointer)
  const last = state.lastRow && (graph.rows.get(state.lastRow.uuid) ?? null)
  if (pointed !== undefined && state.pointerIsFresh && !pointed.sidechain) return pointed
  // Behind a boundary that preserved rows only a pointer to the very end of a line is obeyed.
  const counts = pointed !== undefined && (preservedTail === null || isTip(graph, pointed))
  if (counts && (last === null || !carriesOn(graph, last, pointed, state))) return pointed
  // CC7: only files without any pointer are judged by time.
  if (preservedTail === null && !state.anyPointer && last !== null) {
    const newest = state.newestRow
    if (newest !== null && newest !== last && descends(graph, newest, last.uuid)) return newest
  }
  return last ?? newestMessage(graph)
}

/** CC1: the last row continues what the pointer names, if need be through a sibling tool call. */
function carriesOn(graph: Graph, last: Row, pointed: Row, state: Followed): boolean {
  if (descends(graph, last, pointed.uuid)) return true
  if (state.pointerWasExplicit) return false
  const answer = batchOf(graph, pointed)
  if (answer === null) return false
  for (const row of walkUp(graph, last.uuid))
    if (row.type === 'assistant' && row.messageId === answer) return true
  return false
}

/**
 * The answer whose parallel tool calls a row belongs to. Their results are siblings: a pointer at
 * one of them and a conversation that went on from another are the same line.
 */
function batchOf(graph: Graph, from: Row): string | null {
  for (const row of walkUp(graph, from.uuid)) {
    if (row.type === 'assistant') return row.messageId
    const passes =
      row.toolResult ||
      row.type === 'attachment' ||
      (row.type === 'system' && row.boundary === null) ||
      row.prompt?.role === 'meta'
    if (!passes) return null
  }
  return null
}

function isTip(graph: Graph, row: Row): boolean {
  if (!isMessage(row)) return false
  for (const [uuid, other] of graph.rows)
    if (isMessage(other) && graph.parents.get(uuid) === row.uuid) return false
  return true
}

function descends(graph: Graph, row: Row, ancestor: string): boolean {
  for (const at of walkUp(graph, row.uuid)) if (at.uuid === ancestor) return true
  return false
}

function messageAbove(graph: Graph, row: Row): Row | null {
  for (const at of walkUp(graph, row.uuid)) if (isMessage(at)) return at
  return null
}

function newestMessage(graph: Graph): Row | null {
  let newest: Row | null = null
  for (const row of graph.rows.values())
    if (!row.sidechain && (row.at ?? '') >= (newest?.at ?? '')) newest = row
  return newest
}

/** From a row to its root. Stops at a row seen before: uuids from a file can form a ring. */
function* walkUp(graph: Graph, uuid: string): Generator<Row> {
  const seen = new Set<string>()
  let at: string | null = uuid
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    const row = graph.rows.get(at)
    if (row === undefined) return
    yield row
    at = graph.parents.get(at) ?? null
  }
}

function chainTo(graph: Graph, leaf: Row): Row[] {
  const chain: Row[] = []
  for (const row of walkUp(graph, leaf.uuid)) chain.push(row)
  chain.reverse()
  const boundary = chain.findLastIndex((row) => row.boundary !== null)
  return boundary === -1 ? chain : chain.slice(boundary)
}

function isMessage(row: Row): boolean {
  return row.type === 'user' || row.type === 'assistant'
}
