import { withBatches } from './batches.ts'
import type { Row } from '../rows/index.ts'
import type { RowGraph } from './row-graph.ts'
import { bridgeByTime, type TimeBridge } from './time-bridge.ts'

export interface Chain {
  /** The rows the agent sends when it resumes at the leaf, parallel tool calls and all. */
  readonly rows: Row[]
  /** Where it did not follow the parent that a row names: what it took instead, if anything. */
  readonly strayed: Map<Row, Row | null>
}

export function chainTo(graph: RowGraph, leaf: Row): Chain {
  const { chain, strayed } = climb(graph, leaf)
  const boundary = chain.findLastIndex((row) => row.boundary !== null)
  return { rows: withBatches(graph, boundary === -1 ? chain : chain.slice(boundary)), strayed }
}

/** From the root to the leaf. Here, and only here, a parent that is missing is bridged by time. */
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
    // A ring of parents is a missing parent too: the rows of the ring are on the chain already.
    if (parent !== undefined && !seen.has(parent)) at = parent
    else {
      bridge ??= bridgeByTime(graph.rows.values(), chain)
      const found = bridge.before(at)
      // What a compaction took away is in the file all the same.
      if (parent !== undefined || !graph.parents.has(name)) strayed.set(at, found)
      at = found
    }
  }
  return { chain: chain.toReversed(), strayed }
}
