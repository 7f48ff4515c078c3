import { AT, HEADER, KINDS, RECORD, SELF } from '#disk'
import { ID_AT, isSameTime, type GitIndex } from './git-index.ts'

const FILE = KINDS.indexOf('file')
const EXECUTABLE = 0o100
const HALF = 2 ** 32
/** More than the precision lost by comparing times as doubles. */
const TIME_PRECISION = 1024

/**
 * Fills in the ids of all files of a row from git's index. The row is sorted as git sorts. Returns
 * false if git cannot vouch for one file: then each file is checked individually.
 */
export function vouchForRow(
  index: GitIndex,
  /** The entry numbers of the directory's files in the index. */
  numbers: readonly number[],
  row: Buffer,
  {
    trustedUntil,
    largest,
    hasObject,
  }: {
    readonly trustedUntil: bigint
    readonly largest: number
    readonly hasObject: (bytes: Buffer, at: number) => boolean
  },
): boolean {
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const { bytes, names, places, nameStarts, nameEnds } = index
  const entries = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const textAt = HEADER + RECORD * view.getUint32(SELF.count, true)
  const until = Number(trustedUntil) - TIME_PRECISION
  let next = 0
  let nameAt = textAt
  for (let at = HEADER; at < textAt; at += RECORD) {
    const nameEnd = view.getUint32(at + AT.nameEnd, true)
    if (row[at + AT.kind] === FILE) {
      // Both are sorted; files that only the index has were deleted.
      let n = numbers[next]
      while (n !== undefined && !isName(row, nameAt, nameEnd, names, nameStarts[n]!, nameEnds[n]!))
        n = numbers[(next += 1)]
      if (n === undefined) return false
      next += 1
      const place = places[n]!
      const sizeLow = view.getUint32(at + AT.size, true)
      const isSame =
        isTime(view, at + AT.modified, entries, place + 8, until) &&
        isTime(view, at + AT.changed, entries, place, until) &&
        entries.getUint32(place + 20) === view.getUint32(at + AT.inode, true) &&
        entries.getUint32(place + 36) === sizeLow &&
        view.getUint32(at + AT.size + 4, true) * HALF + sizeLow <= largest &&
        (entries.getUint32(place + 24) & EXECUTABLE) ===
          (view.getUint16(at + AT.mode, true) & EXECUTABLE)
      if (!isSame || !hasObject(bytes, place + ID_AT)) return false
      for (let n = 0; n < 20; n += 4)
        view.setUint32(at + AT.id + n, entries.getUint32(place + ID_AT + n))
    }
    nameAt = nameEnd
  }
  return true
}

function isTime(
  row: DataView,
  at: number,
  entries: DataView,
  place: number,
  until: number,
): boolean {
  const low = row.getUint32(at, true)
  const time = row.getInt32(at + 4, true) * HALF + low
  return (
    time < until && isSameTime(entries.getUint32(place), entries.getUint32(place + 4), time, low)
  )
}

function isName(
  row: Buffer,
  start: number,
  end: number,
  names: Buffer,
  nameStart: number,
  nameEnd: number,
): boolean {
  if (end - start !== nameEnd - nameStart) return false
  for (let n = start; n < end; n += 1) if (row[n] !== names[nameStart + n - start]) return false
  return true
}
