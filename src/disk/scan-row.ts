import type { BigIntStats } from 'node:fs'
import { command, Failure, remedy } from '#failure'
import { nameBytes, nameText } from './names.ts'

/**
 * One directory entry as last seen.
 * - `left-out`: it exists but was not captured; `text` gives the reason.
 * - `rules`: an ignore file that is itself ignored. It is checked for changes but not in the snapshot.
 * - `absent`: a path in an ignored directory that did not exist when it was checked.
 */
export interface RowEntry {
  readonly kind: 'file' | 'symlink' | 'directory' | 'left-out' | 'rules' | 'absent'
  /** The whole st_mode, including the type bits. */
  readonly mode: number
  readonly size: bigint
  readonly modified: bigint
  readonly changed: bigint
  readonly inode: bigint
  /** Blob id of a file, a link's target or an ignore file; tree id of a directory. */
  readonly id: string
  /** A link's target, or why an entry was left out. */
  readonly text: string
  /** The stat proves nothing: read the entry again even if the stat is the same. */
  readonly isDoubtful: boolean
}

/** One directory as it was last seen. */
export interface Row {
  readonly self: {
    readonly modified: bigint
    readonly changed: bigint
    readonly inode: bigint
    /** It was listed so soon after a change that a later change may have left the same times. */
    readonly isDoubtful: boolean
    /** An ignored directory of which only single paths are scanned. */
    readonly isPartial: boolean
  }
  readonly entries: Map<string, RowEntry>
}

// A row is a header of 32 bytes, 64 bytes per entry, then names and texts. Each scan compares tens
// of thousands of rows without decoding them.
export const HEADER = 32
export const RECORD = 64
export const AT = {
  modified: 0,
  changed: 8,
  inode: 16,
  size: 24,
  mode: 32,
  kind: 34,
  flags: 35,
  nameEnd: 36,
  textEnd: 40,
  id: 44,
} as const
export const SELF = { modified: 0, changed: 8, inode: 16, flags: 24, count: 28 } as const
export const FLAG = { doubtful: 1, partial: 2 } as const
export const KINDS = ['file', 'symlink', 'directory', 'left-out', 'rules', 'absent'] as const
const NO_ID = '0'.repeat(40)

/** Checks the flag without decoding the row. */
export function isPartialRow(row: Buffer): boolean {
  return (row.readUInt32LE(SELF.flags) & FLAG.partial) !== 0
}

export function encodeRow({ self, entries }: Row): Buffer {
  let length = HEADER + RECORD * entries.size
  let longest = length
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  for (const [name, { text }] of entries) longest += 3 * (name.length + text.length)
  const row = Buffer.alloc(longest)
  // A DataView is several times as fast as Buffer methods, and a first snapshot writes every file.
  const view = new DataView(row.buffer, row.byteOffset, longest)
  const write = (text: string): number =>
    text.isWellFormed() ? row.write(text, length, 'utf8') : nameBytes(text).copy(row, length)
  view.setBigInt64(SELF.modified, self.modified, true)
  view.setBigInt64(SELF.changed, self.changed, true)
  view.setBigInt64(SELF.inode, self.inode, true)
  const flags = (self.isDoubtful ? FLAG.doubtful : 0) | (self.isPartial ? FLAG.partial : 0)
  view.setUint32(SELF.flags, flags, true)
  view.setUint32(SELF.count, entries.size, true)
  let at = HEADER
  for (const [name, entry] of entries) {
    view.setBigInt64(at + AT.modified, entry.modified, true)
    view.setBigInt64(at + AT.changed, entry.changed, true)
    view.setBigInt64(at + AT.inode, entry.inode, true)
    view.setBigInt64(at + AT.size, entry.size, true)
    view.setUint16(at + AT.mode, entry.mode, true)
    view.setUint8(at + AT.kind, KINDS.indexOf(entry.kind))
    view.setUint8(at + AT.flags, entry.isDoubtful ? FLAG.doubtful : 0)
    view.setUint32(at + AT.nameEnd, (length += write(name)), true)
    if (entry.text !== '') length += write(entry.text)
    view.setUint32(at + AT.textEnd, length, true)
    if (entry.id !== '') row.write(entry.id, at + AT.id, 'hex')
    at += RECORD
  }
  // Copy to the exact size, because one row per directory stays in memory.
  return Buffer.from(row.subarray(0, length))
}

export function decodeRow(row: Buffer): Row {
  const count = countOf(row)
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const flags = view.getUint32(SELF.flags, true)
  const entries = new Map<string, RowEntry>()
  const textAt = textsOf(row, count)
  let start = HEADER + RECORD * count
  for (let n = 0; n < count; n += 1) {
    const at = HEADER + RECORD * n
    const nameEnd = view.getUint32(at + AT.nameEnd, true)
    const textEnd = view.getUint32(at + AT.textEnd, true)
    const id = row.toString('hex', at + AT.id, at + RECORD)
    entries.set(textAt(start, nameEnd), {
      kind: KINDS[row[at + AT.kind]!]!,
      mode: view.getUint16(at + AT.mode, true),
      size: view.getBigInt64(at + AT.size, true),
      modified: view.getBigInt64(at + AT.modified, true),
      changed: view.getBigInt64(at + AT.changed, true),
      inode: view.getBigInt64(at + AT.inode, true),
      id: id === NO_ID ? '' : id,
      text: textAt(nameEnd, textEnd),
      isDoubtful: (row[at + AT.flags]! & FLAG.doubtful) !== 0,
    })
    start = textEnd
  }
  return {
    self: {
      modified: view.getBigInt64(SELF.modified, true),
      changed: view.getBigInt64(SELF.changed, true),
      inode: view.getBigInt64(SELF.inode, true),
      isDoubtful: (flags & FLAG.doubtful) !== 0,
      isPartial: (flags & FLAG.partial) !== 0,
    },
    entries,
  }
}

/**
 * Decodes the names and texts of a row by position. Most rows are ASCII and are decoded at once.
 */
export function textsOf(row: Buffer, count: number): (from: number, to: number) => string {
  const first = HEADER + RECORD * count
  const all = row.toString('latin1', first)
  if (!NOT_ASCII.test(all)) return (from, to) => all.slice(from - first, to - first)
  return (from, to) => nameText(row.subarray(from, to))
}

const NOT_ASCII = /[\u0080-\u00ff]/u

/** The inode of the row's directory. */
export function inodeOf(row: Buffer): bigint {
  return row.readBigInt64LE(SELF.inode)
}

/**
 * The number of entries in a row. Throws on a damaged row, which must not look like an empty
 * directory.
 */
export function countOf(row: Buffer): number {
  const count = row.length < HEADER ? -1 : row.readUInt32LE(SELF.count)
  const heads = HEADER + RECORD * count
  const end =
    count > 0 && heads <= row.length ? row.readUInt32LE(heads - RECORD + AT.textEnd) : heads
  if (count < 0 || end !== row.length)
    throw new Failure('store-damaged', 'The record of a directory in the store cannot be read.', {
      hint: remedy`${command('check')}.`,
    })
  return count
}

/** Whether the stat is the same as when the entry was last seen. */
export function isUnchanged(entry: RowEntry, stat: BigIntStats): boolean {
  return (
    !entry.isDoubtful &&
    entry.changed === stat.ctimeNs &&
    entry.modified === stat.mtimeNs &&
    entry.inode === stat.ino &&
    entry.size === stat.size &&
    entry.mode === Number(stat.mode)
  )
}
