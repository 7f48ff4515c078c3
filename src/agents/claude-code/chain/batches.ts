import { walkUp, type RowGraph } from './row-graph.ts'
import type { Row } from '../rows/index.ts'

/**
 * Parallel tool calls and their results are siblings, so the path from the leaf to the root passes
 * only one of them. The agent sends them all: the calls, then the results, then the rows it added
 * itself, each in file order. Rows that are on the path keep their position.
 */
export function withBatches(graph: RowGraph, chain: readonly Row[]): Row[] {
  const batches = findBatches(graph, chain)
  const places = new Map(chain.map((row, place) => [row, place]))
  addCompanions(graph, places, batches)
  const inserted: Inserted = { places, before: new Map(), behind: new Map(), rows: new Set() }
  for (const { calls, results, companions } of batches.values()) {
    const passed = passedOf(calls, places)
    insertMissing(calls, { passed: passed.slice(1), last: passed.at(-1)! }, inserted)
    for (const rows of [results, companions]) {
      const also = passedOf(rows, places)
      passed.push(...also)
      insertMissing(rows, { passed: also, last: passed.at(-1)! }, inserted)
    }
  }
  return chain.flatMap((row) => [
    ...(inserted.before.get(row) ?? []),
    row,
    ...(inserted.behind.get(row) ?? []),
  ])
}

interface Batch {
  /** The rows of one answer; not all of them are calls. */
  readonly calls: Row[]
  readonly results: Row[]
  readonly companions: Row[]
}

interface Inserted {
  /** Positions of the rows on the chain. */
  readonly places: ReadonlyMap<Row, number>
  readonly before: Map<Row, Row[]>
  readonly behind: Map<Row, Row[]>
  readonly rows: Set<Row>
}

function passedOf(rows: readonly Row[], places: ReadonlyMap<Row, number>): Row[] {
  const passed = rows.filter((row) => places.has(row))
  return passed.sort((a, b) => places.get(a)! - places.get(b)!)
}

/**
 * Inserts each missing row before the first row on the chain that is later in the file, or behind
 * the last.
 */
function insertMissing(
  rows: readonly Row[],
  { passed, last }: { passed: readonly Row[]; last: Row },
  { places, before, behind, rows: done }: Inserted,
): void {
  const order = new Map(rows.map((row, index) => [row, index]))
  let next = 0
  for (const [row, index] of order) {
    if (places.has(row) || done.has(row)) continue
    while (next < passed.length && order.get(passed[next]!)! < index) next++
    const [map, at] = next < passed.length ? [before, passed[next]!] : [behind, last]
    const list = map.get(at)
    if (list) list.push(row)
    else map.set(at, [row])
    done.add(row)
  }
}

/**
 * Batches by the id of the answer. A result belongs to the call that it names and to the answer
 * that is its parent; if these differ, the first on the chain gets it.
 */
function findBatches(graph: RowGraph, chain: readonly Row[]): Map<string, Batch> {
  const batches = new Map<string, Batch>()
  for (const { type, messageId } of chain)
    if (type === 'assistant' && messageId !== null && !batches.has(messageId))
      batches.set(messageId, { calls: [], results: [], companions: [] })
  const batchOfCall = new Map<string, Batch>()
  for (const row of graph.rows.values()) {
    const batch = row.type === 'assistant' ? batches.get(row.messageId ?? '') : undefined
    batch?.calls.push(row)
    if (batch !== undefined && row.call !== null) batchOfCall.set(row.call, batch)
  }
  for (const row of graph.rows.values()) {
    if (!row.toolResult || row.call === null) continue
    const parent = graph.rows.get(graph.parents.get(row.uuid) ?? '')
    const above = parent?.type === 'assistant' ? batches.get(parent.messageId ?? '') : undefined
    const owners = new Set([
      batchOfCall.get(row.call),
      above && hasCalls(above) ? above : undefined,
    ])
    for (const batch of owners) batch?.results.push(row)
  }
  return batches
}

function hasCalls({ calls }: Batch): boolean {
  return calls.some(({ call }) => call !== null)
}

/**
 * Rows that the agent itself added next to a batch, for example the text of a skill. They count
 * unless a conversation continued from them.
 */
function addCompanions(
  graph: RowGraph,
  onChain: ReadonlyMap<Row, unknown>,
  batches: ReadonlyMap<string, Batch>,
): void {
  const metas = [...graph.rows.values()].filter((row) => isMeta(row) && !row.sidechain)
  if (metas.every((row) => onChain.has(row))) return
  const members = new Set(onChain.keys())
  for (const { calls, results } of batches.values())
    for (const row of [...calls, ...results]) members.add(row)
  const continued = findContinued(graph, members)
  const answers = new Map<Row, string | null>()
  const free = new Map<Row, boolean>()
  for (const row of metas) {
    const batch = batches.get(answerAbove(graph, row, answers) ?? '')
    if (batch === undefined || !hasCalls(batch)) continue
    const isFree = climb(graph, row, free, (at) => {
      if (members.has(at)) return true
      return continued.has(at) ? false : undefined
    })
    if (isFree ?? true) batch.companions.push(row)
  }
}

/** Rows outside of the batches and the chain that a conversation passes through. */
function findContinued(graph: RowGraph, members: ReadonlySet<Row>): Set<Row> {
  const continued = new Set<Row>()
  for (const row of graph.rows.values()) {
    if (isPassThrough(row)) continue
    for (const at of walkUp(graph, row.uuid)) {
      if (at !== row && (members.has(at) || continued.has(at))) break
      if (!members.has(at)) continued.add(at)
    }
  }
  return continued
}

/** The tool calls above a row that belong to the same answer. */
export function callsAbove(graph: RowGraph, from: Row): Set<Row> {
  const calls = new Set<Row>()
  let answer: string | null = null
  for (const row of walkUp(graph, from.uuid)) {
    if (row.type === 'assistant') {
      if (row.messageId === null || row.messageId !== (answer ?? row.messageId)) break
      answer = row.messageId
      if (row.call !== null) calls.add(row)
    } else if (!row.toolResult && !isPassThrough(row)) break
  }
  return calls
}

/** The answer that a row belongs to, across results and rows that are not messages. */
function answerAbove(graph: RowGraph, from: Row, known: Map<Row, string | null>): string | null {
  const found = climb(graph, from, known, (row) => {
    if (row.type === 'assistant') return row.messageId
    return row.toolResult || isPassThrough(row) ? undefined : null
  })
  return found ?? null
}

/** Walks up until `look` returns a value, and caches it for all rows on the way. */
function climb<T>(
  graph: RowGraph,
  from: Row,
  known: Map<Row, T>,
  look: (row: Row) => T | undefined,
): T | undefined {
  const way: Row[] = []
  let found: T | undefined
  for (const row of walkUp(graph, from.uuid)) {
    found = known.has(row) ? known.get(row) : look(row)
    if (found !== undefined) break
    way.push(row)
  }
  if (found !== undefined) for (const row of way) known.set(row, found)
  return found
}

function isPassThrough(row: Row): boolean {
  return (
    row.type === 'attachment' || (row.type === 'system' && row.boundary === null) || isMeta(row)
  )
}

function isMeta(row: Row): boolean {
  return row.prompt?.role === 'meta'
}
