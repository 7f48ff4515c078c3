import type { Row } from '../rows/index.ts'
import type { Resume } from './resume.ts'
import { bridgeByTime, type TimeBridge } from './time-bridge.ts'

/** Parents as row objects, so that two rows with one uuid cannot be confused. */
export interface Links {
  readonly parent: Map<Row, Row | null>
  /** Rows whose named parent is not in the file and could not be bridged. */
  readonly missing: Set<Row>
  /** The row that the agent finds for a uuid: the last one, never a skipped one. */
  readonly known: Map<string, Row>
}

/**
 * Links the rows of the main conversation. On the chain to the leaf, the agent's own choice counts;
 * elsewhere a missing parent is bridged as the agent would.
 */
export function linkRows(rows: readonly Row[], { chain, strayed }: Resume): Links {
  const onChain = new Set(chain)
  // A subagent's row counts only if the agent itself would send it.
  const isMain = (row: Row): boolean =>
    row.type !== 'progress' && (!row.sidechain || onChain.has(row))
  const known = new Map<string, Row>()
  for (const row of rows) if (!row.skipped) known.set(row.uuid, row)
  const links: Links = { parent: new Map(), missing: new Set(), known }
  const passed = new Map<Row, Row | null | undefined>()
  // Undefined if it is not in the file. Old versions put progress rows into the chain.
  const nextMain = (from: Row | undefined): Row | null | undefined => {
    const way = new Set<Row>()
    let at: Row | null | undefined = from
    while (at && !isMain(at) && !passed.has(at)) {
      if (way.has(at)) at = undefined
      else {
        way.add(at)
        at = at.parent === null ? null : known.get(at.parent)
      }
    }
    const found = at && !isMain(at) ? passed.get(at) : at
    for (const row of way) passed.set(row, found)
    return found
  }
  let bridge: TimeBridge | null = null
  let before: Row | null = null
  for (const row of rows) {
    if (!isMain(row)) continue
    // Across a boundary, the timeline continues at the row where the conversation really came from.
    const name = row.parent ?? row.boundary?.logicalParent ?? null
    let parent = name === null ? null : nextMain(known.get(name))
    if (row.boundary !== null) parent ??= before
    else if (parent === undefined || parent === row) {
      bridge ??= bridgeByTime(known.values(), [])
      parent = bridge.before(row)
    }
    const choice = strayed.get(row)
    if (choice !== undefined && row.boundary === null) parent = choice
    if (parent === null && name !== null && !known.has(name)) links.missing.add(row)
    links.parent.set(row, parent)
    before = row
  }
  return links
}
