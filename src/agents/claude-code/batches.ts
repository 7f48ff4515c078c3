import { walkUp, type RowGraph } from './row-graph.ts'
import type { Row } from './row.ts'

/**
 * Parallel tool calls and their results are siblings, so the way up from the leaf passes only one
 * of them. The agent sends them all: the calls, then the results, then what it wrote itself beside
 * them, each in the order of the file.
 */
export function withBatches(graph: RowGraph, chain: readonly Row[]): Row[] {
  const onChain = new Set(chain)
  const batches = findBatches(graph, chain)
  addCompanions(graph, onChain, batches)

  const whole = new Set<Row>()
  for (const row of chain) {
    const batch = batches.get(row.messageId ?? '')
    if (batch?.passed[0] === row)
      for (const member of membersOf(batch, onChain)) whole.add(member)
    whole.add(row)
  }
  return [...whole]
}

interface Batch {
  /** The calls, and other rows of the answer, that the chain passes through. */
  readonly passed: Row[]
  /** All of them, in the order of the file. */
  readonly calls: Row[]
  readonly results: Row[]
  readonly companions: Row[]
}

/** None when the chain passes through them all. */
function membersOf({ passed, calls, results, companions }: Batch, onChain: Set<Row>): Row[] {
  // Where calls are missing, the first on the chain stays the first of all.
  const sent = calls.length === passed.length ? passed : [passed[0]!, ...calls]
  const members = [...sent, ...results, ...companions]
  return members.every((member) => onChain.has(member)) ? [] : members
}

/**
 * By the id of the answer. A result belongs to the call that it names and to the call it hangs on;
 * should these be two, the first on the chain gets it.
 */
function findBatches(graph: RowGraph, chain: readonly Row[]): Map<string, Batch> {
  const batches = new Map<string, Batch>()
  for (const row of chain) {
    if (row.type !== 'assistant' || row.messageId === null) continue
    const batch = batches.get(row.messageId)
    if (batch) batch.passed.push(row)
    else batches.set(row.messageId, { passed: [row], calls: [], results: [], companions: [] })
  }
  const batchOfCall = new Map<string, Batch>()
  for (const row of graph.rows.values()) {
    const batch = row.type === 'assistant' ? batches.get(row.messageId ?? '') : undefined
    batch?.calls.push(row)
    if (batch !== undefined && row.call !== null) batchOfCall.set(row.call, batch)
  }
  for (const row of graph.rows.values()) {
    if (!row.toolResult || row.call === null) continue
    const parent = graph.rows.get(graph.parents.get(row.uuid) ?? '')
    for (const call of new Set([row.call, parent?.type === 'assistant' ? parent.call : null]))
      if (call !== null) batchOfCall.get(call)?.results.push(row)
  }
  return batches
}

/**
 * Rows that the agent wrote beside a batch without a person's doing, for example the text of a
 * skill. They count unless a conversation went on from them.
 */
function addCompanions(
  graph: RowGraph,
  onChain: ReadonlySet<Row>,
  batches: ReadonlyMap<string, Batch>,
): void {
  const metas = [...graph.rows.values()].filter((row) => isMeta(row) && !row.sidechain)
  if (metas.every((row) => onChain.has(row))) return
  const members = new Set(onChain)
  for (const { calls, results } of batches.values())
    for (const row of [...calls, ...results]) members.add(row)
  const wentOn = findWentOn(graph, members)
  const answers = new Map<Row, string | null>()
  const free = new Map<Row, boolean>()
  for (const row of metas) {
    const batch = batches.get(answerAbove(graph, row, answers) ?? '')
    if (batch === undefined || batch.calls.every(({ call }) => call === null)) continue
    const isFree = climb(graph, row, free, (at) => {
      if (members.has(at)) return true
      return wentOn.has(at) ? false : undefined
    })
    if (isFree ?? true) batch.companions.push(row)
  }
}

/** The rows outside of the batches and the chain that a conversation passes through. */
function findWentOn(graph: RowGraph, members: ReadonlySet<Row>): Set<Row> {
  const wentOn = new Set<Row>()
  for (const row of graph.rows.values()) {
    if (isPassage(row)) continue
    for (const at of walkUp(graph, row.uuid)) {
      if (at !== row && (members.has(at) || wentOn.has(at))) break
      if (!members.has(at)) wentOn.add(at)
    }
  }
  return wentOn
}

/** The answer that a row belongs to, through results and rows that are no part of the talk. */
export function answerAbove(
  graph: RowGraph,
  from: Row,
  known = new Map<Row, string | null>(),
): string | null {
  const found = climb(graph, from, known, (row) => {
    if (row.type === 'assistant') return row.messageId
    return row.toolResult || isPassage(row) ? undefined : null
  })
  return found ?? null
}

/** Goes up until something is found, and remembers it for all rows on the way there. */
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

function isPassage(row: Row): boolean {
  return (
    row.type === 'attachment' || (row.type === 'system' && row.boundary === null) || isMeta(row)
  )
}

function isMeta(row: Row): boolean {
  return row.prompt?.role === 'meta'
}
