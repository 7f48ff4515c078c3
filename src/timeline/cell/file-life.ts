import { pathsOf, type Cell } from './cell.ts'

/** What happened at the path to which a turn renamed a file. */
export interface FileLife {
  /** The changes of the file, until it was deleted or renamed again. */
  readonly own: readonly Cell[]
  /** The changes after that: they are about another file or a directory. */
  readonly others: readonly Cell[]
}

/**
 * Null if another file came before this one was gone: then the rename is superseded (cell.3), and
 * nothing tells which changes are whose.
 */
export function lifeAfter({ path, seq }: Cell, cells: readonly Cell[]): FileLife | null {
  const later = cells
    .filter((cell) => cell.seq > seq && pathsOf(cell).includes(path))
    .toSorted((a, b) => a.seq - b.seq)
  const isLeft = ({ renamedFrom, eff }: Cell): boolean =>
    renamedFrom === path || eff.at(-1)!.after.kind === 'absent'
  const isOther = ({ renamedFrom, eff }: Cell): boolean =>
    renamedFrom !== path && (renamedFrom !== null || eff[0]!.before.kind === 'absent')
  const files = later.filter(({ directory }) => directory === undefined)
  const last = files.find(isLeft)
  const own = last === undefined ? files : files.slice(0, files.indexOf(last) + 1)
  if (own.some(isOther)) return null
  return { own, others: last === undefined ? [] : later.filter((cell) => cell.seq > last.seq) }
}
