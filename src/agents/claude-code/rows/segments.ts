import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { Failure } from '#failure'
import { one, type Cache, type Database } from '#store'
import { emptyLine } from './read-line.ts'
import type { Row } from './row.ts'
import { readTranscript, type Lists } from './transcript.ts'

/**
 * A cached part of a transcript's rows. Parts are small, because a short log needs only the last
 * rows.
 */
export interface Part {
  readonly start: number
  readonly rows: number
  readonly sum: number
}

const ROWS_PER_PART = 256

/** The parts of a transcript, loaded on first access. */
export interface Segments {
  readonly rowAt: (n: number) => Row
  /** Loads all parts from this one on. */
  load(from: number): Lists
  /** Whether all parts are present and intact. */
  areSound(): boolean
}

export function openSegments(
  cache: Cache,
  path: string,
  { parts, end }: { parts: readonly Part[]; end: number },
): Segments {
  const loaded: (Lists | undefined)[] = []
  const firsts = [0]
  for (const { rows } of parts) firsts.push(firsts.at(-1)! + rows)
  const tryLoad = (n: number): Lists | null => {
    const known = loaded[n]
    if (known !== undefined) return known
    const segment = cache.attempt((database) => loadSegment(database, path, parts[n]!))
    if (segment !== null) loaded[n] = segment
    return segment
  }
  // Existing turns refer to these rows, so a damaged part is read from the file again.
  let again: Lists | undefined
  const load = (n: number): Lists => {
    const segment = tryLoad(n)
    if (segment !== null) return segment
    again ??= readTranscript(path)
    const read = cutLists(again, parts[n]!.start, parts[n + 1]?.start ?? end)
    if (read.rows.length !== parts[n]!.rows)
      throw new Failure('conversation-changed', 'The transcript was rewritten while it was read.', {
        hint: 'Try again.',
      })
    return (loaded[n] = read)
  }
  return {
    rowAt(n) {
      const part = findPart(firsts, n)
      return load(part).rows[n - firsts[part]!]!
    },
    load: (from) => joinLists(parts.slice(from).map((_, n) => load(from + n))),
    areSound: () => parts.every((_, n) => tryLoad(n) !== null),
  }
}

function loadSegment(database: Database, path: string, { start, sum }: Part): Lists | null {
  const row = one(database, 'select data from segments where path = ? and start = ?', path, start)
  const data = row?.['data'] as Uint8Array | undefined
  if (data === undefined || crc32(data) !== sum) return null
  try {
    return deserialize(data) as Lists
  } catch {
    return null
  }
}

/** Splits what a reading found after `from` into parts for the cache. */
export function cutSegments(
  all: Lists,
  from: number,
  end: number,
): (Part & { readonly data: Buffer })[] {
  const fresh = cutLists(all, from, end)
  const starts = [from]
  // Rows are found by index, so parts must be in the order of the rows.
  if (fresh.rows.every(({ place }, n) => n === 0 || place > fresh.rows[n - 1]!.place))
    for (let n = ROWS_PER_PART; n < fresh.rows.length; n += ROWS_PER_PART)
      starts.push(fresh.rows[n]!.place)
  const bounds = [...starts, end]
  const segments = starts.map((): Lists => cutLists(emptyLine(), 0, 0))
  const at = (place: number): Lists => segments[findPart(bounds, place)]!
  for (const row of fresh.rows) at(row.place).rows.push(row)
  for (const pointer of fresh.pointers) at(pointer.place).pointers.push(pointer)
  for (const row of fresh.checkpoints) at(row.place).checkpoints.push(row)
  for (const title of fresh.titles) at(title.place).titles.push(title)
  for (const span of fresh.damage) at(span.offset).damage.push(span)
  return segments.map((segment, n) => {
    const data = serialize(segment)
    return { start: starts[n]!, rows: segment.rows.length, sum: crc32(data), data }
  })
}

/** The last part that begins at or before `at`. */
function findPart(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}

function cutLists(all: Lists, from: number, to: number): Lists {
  const isIn = ({ place }: { readonly place: number }): boolean => place >= from && place < to
  return {
    rows: all.rows.filter(isIn),
    pointers: all.pointers.filter(isIn),
    checkpoints: all.checkpoints.filter(isIn),
    titles: all.titles.filter(isIn),
    damage: all.damage.filter(({ offset }) => offset >= from && offset < to),
  }
}

export function joinLists(parts: readonly Lists[]): Lists {
  return {
    rows: parts.flatMap(({ rows }) => rows),
    pointers: parts.flatMap(({ pointers }) => pointers),
    checkpoints: parts.flatMap(({ checkpoints }) => checkpoints),
    titles: parts.flatMap(({ titles }) => titles),
    damage: parts.flatMap(({ damage }) => damage),
  }
}
