import { withBatches } from './batches.ts'
import type { Row } from './row.ts'
import type { RowGraph } from './row-graph.ts'
import { bridgeByTime, type TimeBridge } from './time-bridge.ts'

/** The rows the agent sends when it resumes at the leaf, parallel tool calls and all. */
export function chainTo(graph: RowGraph, leaf: Row): Row[] {
  const chain = climb(graph, leaf)
  const boundary = chain.findLastIndex((row) => row.boundary !== null)
  return withBatches(graph, boundary === -1 ? chain : chain.slice(boundary))
}

/** From the root to the leaf. Here, and only here, a parent that is missing is bridged by time. */
function climb(graph: RowGraph, leaf: Row): Row[] {
  const chain: Row[] = []
  const seen = new Set<Row>()
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
      at = bridge.before(at)
    }
  }
  return chain.reverse()
}
