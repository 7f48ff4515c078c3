import { AT, HEADER, KINDS, RECORD, SELF } from '#disk'
import { join, type Comparison } from './comparison.ts'
import { rowTreeId } from './row-tree-id.ts'
import { judge } from './scope.ts'
import type { Filling } from './table.ts'

/** The general path, for directories that are not plain. */
type CheckEntry = (
  c: Comparison,
  directory: string,
  name: string,
  how: { isDeep: boolean; origin: 'entered' },
) => void

/** The result for a directory. Where null is returned instead, nothing was changed. */
interface Taken extends Filling {
  /** Whether its id is final. */
  readonly isSettled: boolean
}

const DIRECTORY = KINDS.indexOf('directory')

/**
 * Takes over a directory tree from git's index, if all of it is in scope and git vouches for every
 * file. This creates no entry objects, only records in the row. Most of a first snapshot takes this
 * path; from the first directory that does not qualify, `checkEntry` takes over.
 */
export function takePlain(c: Comparison, path: string, checkEntry: CheckEntry): Taken | null {
  const scanned = c.plain?.scan(path) ?? null
  if (scanned === null) return null
  const { row, mode } = scanned
  const entries = readEntries(row)
  const holds = (wanted: string): boolean => entries.some(({ name }) => name === wanted)
  c.intake.listed(path, holds)
  const { now } = c.scopeAt(path, holds)
  const isAllIn = !now.isPartial && entries.every((entry) => judge(now, entry.name, entry) === 'in')
  if (!isAllIn || !c.intake.vouch(path, row)) {
    c.plain!.failed()
    return null
  }

  c.listed.add(path)
  c.draft.pack(path, row)
  let isSettled = true
  for (const { name, at, isDirectory } of entries) {
    if (!isDirectory) continue
    const below = takePlain(c, join(path, name), checkEntry)
    if (below === null) {
      c.draft.delete(path, name)
      checkEntry(c, path, name, { isDeep: true, origin: 'entered' })
      isSettled = false
    } else {
      c.draft.fill(path, name, at, below)
      if (!below.isSettled) isSettled = false
    }
  }
  // An opened row is dirty, so `settle` computes its id later.
  if (!isSettled) c.draft.open(path)
  return { mode, id: isSettled ? rowTreeId(row) : null, isSettled }
}

interface PlainEntry {
  readonly name: string
  readonly at: number
  readonly isDirectory: boolean
}

function readEntries(row: Buffer): PlainEntry[] {
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const textAt = HEADER + RECORD * view.getUint32(SELF.count, true)
  const text = row.toString('latin1', textAt)
  const entries: PlainEntry[] = []
  let start = 0
  for (let at = HEADER; at < textAt; at += RECORD) {
    const end = view.getUint32(at + AT.nameEnd, true) - textAt
    const isDirectory = row[at + AT.kind] === DIRECTORY
    entries.push({ name: text.slice(start, end), at, isDirectory })
    start = end
  }
  return entries
}
