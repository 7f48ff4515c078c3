import type { Row } from '../rows/index.ts'

/**
 * Rows by uuid with their effective parents. A later row with the same uuid replaces an earlier one
 * but keeps its position, as in the agent.
 */
export interface RowGraph {
  readonly rows: Map<string, Row>
  readonly parents: Map<string, string | null>
}

export function buildGraph(rows: readonly Row[]): RowGraph {
  const graph: RowGraph = { rows: new Map(), parents: new Map() }
  // Old versions put progress rows into the chain; link across them to their parent.
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

/** From a row to its root. Stops at a row seen before, because uuids in a file can form a cycle. */
export function* walkUp(graph: RowGraph, uuid: string): Generator<Row> {
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

export function isMessage(row: Row): boolean {
  return row.type === 'user' || row.type === 'assistant'
}
