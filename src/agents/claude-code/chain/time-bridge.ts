import type { Row } from '../rows/index.ts'

/** The gap in time over which the agent bridges a parent that is not in the file. */
const WIDEST = 5000

/**
 * Finds the row that stands in for a missing parent: the newest that is not newer than the child
 * and at most five seconds older; of several the first in the file.
 */
export interface TimeBridge {
  /** The row must not be found again: it is on the way already. */
  pass(row: Row): void
  before(row: Row): Row | null
}

export function bridgeByTime(rows: Iterable<Row>, passed: Iterable<Row>): TimeBridge {
  const times = new Map<Row, number>()
  for (const row of rows) {
    const isMain = !row.sidechain && row.type !== 'progress'
    const time = isMain ? Date.parse(row.at ?? '') : Number.NaN
    if (!Number.isNaN(time)) times.set(row, time)
  }
  // The sort is stable: among equals the first in the file comes first.
  const newestFirst = [...times.keys()].sort((a, b) => times.get(b)! - times.get(a)!)
  const places = new Map(newestFirst.map((row, place) => [row, place]))
  // Where to look next, for each place: itself, or past those that were passed. Without it a file
  // in which every parent is missing would be searched anew for each of them.
  const next = Uint32Array.from({ length: newestFirst.length + 1 }, (_, place) => place)
  const findOpen = (from: number): number => {
    let open = from
    while (next[open] !== open) open = next[open]!
    for (let at = from; at !== open;) [at, next[at]] = [next[at]!, open]
    return open
  }
  const firstNotNewer = (time: number): number => {
    let [low, high] = [0, newestFirst.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (times.get(newestFirst[middle]!)! > time) low = middle + 1
      else high = middle
    }
    return low
  }
  const pass = (row: Row): void => {
    const place = places.get(row)
    if (place !== undefined && next[place] === place) next[place] = place + 1
  }
  for (const row of passed) pass(row)
  return {
    pass,
    before(row) {
      const time = Date.parse(row.at ?? '')
      if (Number.isNaN(time)) return null
      const first = findOpen(firstNotNewer(time))
      const found = newestFirst[newestFirst[first] === row ? findOpen(first + 1) : first]
      return found !== undefined && time - times.get(found)! <= WIDEST ? found : null
    },
  }
}
