import { chainTo } from './chain.ts'
import { foldBoundaries } from './fold-boundaries.ts'
import { buildGraph, isMessage } from './row-graph.ts'
import type { Row } from '../rows/index.ts'

export interface PastConversation {
  /** The row that the conversation would be continued from. */
  readonly end: Row
  /** The rows that the agent sent, in that order, without boundaries. */
  readonly rows: readonly Row[]
  /** The boundary that it descends from. */
  readonly boundary: Row | null
}

/**
 * The conversation as it was when it ended at this row, regardless of later changes. Only the
 * boundary that this row descends from counts; later ones, and those of other lines, replaced
 * nothing of it. Null if there is no such row.
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
  // Kept rows come after the anchor, so the conversation did not end at the anchor itself.
  const anchor = own.boundary.preserved?.anchor ?? own.boundary.segment?.anchor
  const end = (tail !== null && anchor === target && graph.rows.get(tail)) || leaf
  return {
    end,
    rows: chainTo(graph, end).rows.filter((row) => row.boundary === null),
    boundary: own,
  }
}

/**
 * Every row of the line that ended at this row, from its first turn on, in file order: the
 * conversation at that time, and the rows that its boundaries replaced.
 */
export function lineAt(all: readonly Row[], target: string): Row[] {
  const line = new Set<Row>()
  for (let at: string | null = target; at !== null;) {
    const past: PastConversation | null = conversationAt(all, at)
    const { boundary = null } = past ?? {}
    for (const row of past?.rows ?? []) line.add(row)
    // Stop at a boundary that leads to itself, or to one seen before.
    at = boundary === null || line.has(boundary) ? null : boundary.boundary!.logicalParent
    if (boundary !== null) line.add(boundary)
  }
  return [...line].sort((a, b) => a.place - b.place)
}

/** Whether two chains send the same messages. Rows that only the agent reads do not count. */
export function isSameConversation(a: readonly Row[], b: readonly Row[]): boolean {
  const [one, other] = [a, b].map((rows) => rows.filter(isMessage).map(({ uuid }) => uuid))
  return one!.length === other!.length && one!.every((uuid, i) => uuid === other![i])
}
