import type { Row } from '../rows/index.ts'

/** The agent bridges a missing parent across at most this many ms. */
const MAX_GAP = 5000

/**
 * Finds the row that replaces a missing parent: the newest that is not newer than the child and at
 * most five seconds older; among equals the first in the file.
 */
export interface TimeBridge {
  /** Excludes a row from later results, because it is on the path already. */
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
  // The sort is stable: among equals, the first in the file comes first.
  const newestFirst = [...times.keys()].sort((a, b) => times.get(b)! - times.get(a)!)
  const places = new Map(newestFirst.map((row, place) => [row, place]))
  // Union-find: for each position, the next row that is not excluded. Without it, a file in which
  // every parent is missing would take quadratic time.
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
      return found !== undefined && time - times.get(found)! <= MAX_GAP ? found : null
    },
  }
}
