import { AT, decodeRow, encodeRow, splitLast, type Row, type RowEntry } from '#disk'
import {
  dropSnapshotRow,
  putLeftOut,
  putSnapshotRecord,
  putSnapshotRow,
  storedGeneration,
  type SnapshotOf,
  type Store,
} from '#store'
import type { LeftOutWhy } from './entry-value.ts'
import type { Table } from './load-table.ts'
import { rowTreeId } from './row-tree-id.ts'
import { EMPTY_TREE, treeIdOf } from './tree-id.ts'

type MutableRow = { self: Row['self']; readonly entries: Map<string, RowEntry> }

/** A directory's mode and tree id; null if it has no id (yet). */
export interface Filling {
  readonly mode: number
  readonly id: Buffer | null
}

/** A table being updated. Nothing reaches the store or the table before `save`. */
export interface Draft {
  readonly isFirst: boolean
  open(path: string): Row | undefined
  create(path: string, self: Row['self']): Row
  /** Adds a new directory as an encoded row. The row may change until it is opened. */
  pack(path: string, row: Buffer): void
  /** Sets the mode and id of a subdirectory; `at` is the offset of its record in a packed row. */
  fill(directory: string, name: string, at: number | null, below: Filling): void
  setSelf(path: string, self: Row['self']): void
  set(directory: string, name: string, entry: RowEntry): void
  delete(directory: string, name: string): void
  /** Removes the row of a directory. */
  drop(path: string): void
  readonly leftOut: ReadonlyMap<string, LeftOutWhy>
  /** Recomputes the id of every directory above a change, and returns the root's. */
  settle(): string
  readonly isChanged: boolean
  /** Call inside a transaction. Returns false and writes nothing if another process saved first. */
  save(store: Store, facts: { tree: string; rules: string; at: number }): boolean
  /** Call after the transaction: the table for the next observation. */
  result(): Table
}

export function draftOf(table: Table | null, of: SnapshotOf = ''): Draft {
  const rows = table?.rows ?? new Map<string, Buffer>()
  const opened = new Map<string, MutableRow>()
  /** Encoded rows that no caller had to decode. */
  const packed = new Map<string, Buffer>()
  const dirty = new Set<string>()
  const dropped = new Set<string>()
  const leftOut = new Map(table?.leftOut)
  const leftOutChanges = new Map<string, LeftOutWhy | null>()
  const written = new Map<string, Buffer>()
  let saved: { generation: number; tree: string; rules: string } | null = null

  const open = (path: string): MutableRow | undefined => {
    const known = opened.get(path)
    if (known !== undefined) return known
    const fresh = packed.get(path)
    const row = fresh ?? (dropped.has(path) ? undefined : rows.get(path))
    if (row === undefined) return undefined
    const decoded = decodeRow(row)
    opened.set(path, decoded)
    if (fresh !== undefined) {
      packed.delete(path)
      dirty.add(path)
    }
    return decoded
  }
  const noteLeftOut = (path: string, why: LeftOutWhy | null): void => {
    if ((leftOut.get(path) ?? null) === why) return
    if (why === null) leftOut.delete(path)
    else leftOut.set(path, why)
    leftOutChanges.set(path, why)
  }
  const join = (directory: string, name: string): string =>
    directory === '' ? name : `${directory}/${name}`

  return {
    isFirst: table === null,
    open,
    create(path, self) {
      const row: MutableRow = { self, entries: new Map() }
      opened.set(path, row)
      dropped.delete(path)
      dirty.add(path)
      return row
    },
    pack(path, row) {
      packed.set(path, row)
      dropped.delete(path)
    },
    fill(directory, name, at, { mode, id }) {
      const row = packed.get(directory)
      if (row === undefined || at === null) {
        const { entries } = open(directory)!
        const entry = entries.get(name)!
        entries.set(name, { ...entry, mode, id: id?.toString('hex') ?? '' })
      } else {
        row.writeUInt16LE(mode, at + AT.mode)
        id?.copy(row, at + AT.id)
      }
    },
    setSelf(path, self) {
      const row = open(path)!
      if (isSameSelf(row.self, self)) return
      row.self = self
      dirty.add(path)
    },
    set(directory, name, entry) {
      const { entries } = open(directory)!
      if (isSameEntry(entries.get(name), entry)) return
      entries.set(name, entry)
      dirty.add(directory)
      // An ignored directory that is entered for single paths also carries a reason.
      const isMarked = entry.kind === 'left-out' || entry.kind === 'directory'
      const why = isMarked && entry.text !== '' ? (entry.text as LeftOutWhy) : null
      if (why !== null || leftOut.size > 0) noteLeftOut(join(directory, name), why)
    },
    delete(directory, name) {
      if (!open(directory)!.entries.delete(name)) return
      dirty.add(directory)
      noteLeftOut(join(directory, name), null)
    },
    drop(path) {
      opened.delete(path)
      packed.delete(path)
      dirty.delete(path)
      dropped.add(path)
    },
    leftOut,
    settle() {
      const queue = new Map<number, Set<string>>()
      for (const path of dirty) push(queue, path)
      const whole = packed.get('')
      if (whole !== undefined) return rowTreeId(whole)?.toString('hex') ?? EMPTY_TREE
      let root = table?.tree ?? EMPTY_TREE
      for (let level = Math.max(0, ...queue.keys()); level >= 0; level -= 1) {
        for (const path of queue.get(level) ?? []) {
          const id = treeIdOf(open(path)!.entries)
          if (path === '') {
            root = id === '' ? EMPTY_TREE : id
            continue
          }
          const { parent, name } = splitLast(path)
          const above = open(parent)!
          const entry = above.entries.get(name)!
          if (entry.id === id) continue
          above.entries.set(name, { ...entry, id })
          dirty.add(parent)
          push(queue, parent)
        }
      }
      return root
    },
    get isChanged() {
      return (
        table === null ||
        packed.size > 0 ||
        dirty.size > 0 ||
        dropped.size > 0 ||
        leftOutChanges.size > 0
      )
    },
    save(store, { tree, rules, at }) {
      const generation = table?.generation ?? 0
      if (storedGeneration(store, of) !== generation) return false
      for (const path of dropped) dropSnapshotRow(store, of, path)
      for (const path of dirty) written.set(path, encodeRow(open(path)!))
      for (const [path, row] of packed) written.set(path, row)
      for (const [path, row] of written) putSnapshotRow(store, of, path, row)
      for (const [path, why] of leftOutChanges) putLeftOut(store, of, path, why)
      saved = { generation: generation + 1, tree, rules }
      putSnapshotRecord(store, of, at, saved)
      return true
    },
    result() {
      if (saved === null) return table!
      for (const path of dropped) rows.delete(path)
      for (const [path, row] of written) rows.set(path, row)
      return { rows, leftOut, ...saved }
    },
  }
}

function push(queue: Map<number, Set<string>>, path: string): void {
  const level = depth(path)
  const known = queue.get(level)
  if (known === undefined) queue.set(level, new Set([path]))
  else known.add(path)
}

function depth(path: string): number {
  if (path === '') return 0
  let parts = 1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) parts += 1
  return parts
}

/** Without this comparison, entries that are rescanned each time would be rewritten each time. */
function isSameEntry(a: RowEntry | undefined, b: RowEntry): boolean {
  return (
    a !== undefined &&
    a.kind === b.kind &&
    a.mode === b.mode &&
    a.size === b.size &&
    a.modified === b.modified &&
    a.changed === b.changed &&
    a.inode === b.inode &&
    a.id === b.id &&
    a.text === b.text &&
    a.isDoubtful === b.isDoubtful
  )
}

function isSameSelf(a: Row['self'], b: Row['self']): boolean {
  return (
    a.modified === b.modified &&
    a.changed === b.changed &&
    a.inode === b.inode &&
    a.isDoubtful === b.isDoubtful &&
    a.isPartial === b.isPartial
  )
}
