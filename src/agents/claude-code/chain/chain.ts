import { withBatches } from './batches.ts'
import type { Row } from '../rows/index.ts'
import type { RowGraph } from './row-graph.ts'
import { bridgeByTime, type TimeBridge } from './time-bridge.ts'

export interface Chain {
  /** The rows that the agent sends when it resumes at the leaf, including parallel tool calls. */
  readonly rows: Row[]
  /** Rows whose named parent was not followed, with the row used instead, if any. */
  readonly strayed: Map<Row, Row | null>
}

export function chainTo(graph: RowGraph, leaf: Row): Chain {
  const { chain, strayed } = climb(graph, leaf)
  const boundary = chain.findLastIndex((row) => row.boundary !== null)
  return { rows: withBatches(graph, boundary === -1 ? chain : chain.slice(boundary)), strayed }
}

/** From the root to the leaf. Only here, a missing parent is bridged by time. */
function climb(graph: RowGraph, leaf: Row): { chain: Row[]; strayed: Map<Row, Row | null> } {
  const chain: Row[] = []
  const seen = new Set<Row>()
  const strayed = new Map<Row, Row | null>()
  let bridge: TimeBridge | null = null
  let at: Row | null = leaf
  while (at !== null) {
    seen.add(at)
    chain.push(at)
    bridge?.pass(at)
    const name: string | null = graph.parents.get(at.uuid) ?? null
    if (name === null) break
    const parent: Row | undefined = graph.rows.get(name)
    // A cycle counts as a missing parent: its rows are on the chain already.
    if (parent !== undefined && !seen.has(parent)) at = parent
    else {
      bridge ??= bridgeByTime(graph.rows.values(), chain)
      const found = bridge.before(at)
      // A row that a compaction removed from the graph is still in the file.
      if (parent !== undefined || !graph.parents.has(name)) strayed.set(at, found)
      at = found
    }
  }
  return { chain: chain.toReversed(), strayed }
}
