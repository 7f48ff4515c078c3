import { isMessage, walkUp, type RowGraph } from './row-graph.ts'

/**
 * Removes from the graph what the last compaction replaced (CC5), and relinks the rows it kept
 * after its anchor. Returns the last kept row. Returns null if nothing was kept: then the old rows
 * stay, and only the chain ends at the boundary.
 */
export function foldBoundaries(graph: RowGraph): string | null {
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

interface Kept {
  readonly anchor: string
  readonly uuids: readonly string[]
}

/**
 * Chains the kept rows after the anchor; former children of the anchor become children of the last.
 */
function relink(graph: RowGraph, { anchor, uuids }: Kept, tail: string): void {
  let before = anchor
  for (const uuid of uuids) {
    graph.parents.set(uuid, before)
    before = uuid
  }
  for (const uuid of graph.rows.keys())
    if (graph.parents.get(uuid) === anchor && uuid !== uuids[0]) graph.parents.set(uuid, tail)
}

function preservedBy(graph: RowGraph, uuid: string): Kept | null {
  const { preserved, segment } = graph.rows.get(uuid)!.boundary!
  if (preserved !== null) return preserved
  const uuids: string[] = []
  for (const at of walkUp(graph, segment!.tail)) {
    uuids.push(at.uuid)
    if (at.uuid === segment!.head) return { anchor: segment!.anchor, uuids: uuids.toReversed() }
  }
  return null
}
