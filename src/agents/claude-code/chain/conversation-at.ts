import { chainTo } from './chain.ts'
import { foldBoundaries } from './fold-boundaries.ts'
import { buildGraph, isMessage } from './row-graph.ts'
import type { Row } from '../rows/index.ts'

export interface PastConversation {
  /** Where it would be continued. */
  readonly end: Row
  /** What the agent sent, in its order; no boundary is among them. */
  readonly rows: readonly Row[]
  /** The boundary from which it descends. */
  readonly boundary: Row | null
}

/**
 * The conversation as it was when it ended at this row, whatever has happened in the file since.
 * Of all boundaries only the one counts from which this row descends; later ones, and those of
 * other lines, replaced nothing of it. Null when there is no such row.
 */
export function conversationAt(all: readonly Row[], target: string): PastConversation | null {
  const rows = all.filter((row) => !row.skipped)
  const plain = buildGraph(rows)
  const leaf = plain.rows.get(target)
  if (leaf === undefined) return null
  const chain = chainTo(plain, leaf).rows
  const own = chain[0]!
  if (own.boundary === null) return { end: leaf, rows: chain, boundary: null }
  const graph = buildGraph(rows.filter((row) => row.boundary === null || row === own))
  const tail = foldBoundaries(graph)
  // What was kept comes behind the anchor, so it is not the anchor that the conversation ended at.
  const anchor = own.boundary.preserved?.anchor ?? own.boundary.segment?.anchor
  const end = (tail !== null && anchor === target && graph.rows.get(tail)) || leaf
  return {
    end,
    rows: chainTo(graph, end).rows.filter((row) => row.boundary === null),
    boundary: own,
  }
}

/**
 * Every row of the line that ended at this row, from its first turn on, in the order of the file:
 * the conversation of that time, and what its boundaries replaced.
 */
export function lineAt(all: readonly Row[], target: string): Row[] {
  const line = new Set<Row>()
  for (let at: string | null = target; at !== null;) {
    const past: PastConversation | null = conversationAt(all, at)
    const { boundary = null } = past ?? {}
    for (const row of past?.rows ?? []) line.add(row)
    // A boundary that leads to itself, or to one seen before, would lead nowhere else.
    at = boundary === null || line.has(boundary) ? null : boundary.boundary!.logicalParent
    if (boundary !== null) line.add(boundary)
  }
  return [...line].sort((a, b) => a.place - b.place)
}

/** Whether two chains are one conversation: what only the agent itself reads does not count. */
export function isSameConversation(a: readonly Row[], b: readonly Row[]): boolean {
  const [one, other] = [a, b].map((rows) => rows.filter(isMessage).map(({ uuid }) => uuid))
  return one!.length === other!.length && one!.every((uuid, i) => uuid === other![i])
}
