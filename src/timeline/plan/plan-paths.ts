import {
  isOn,
  pathsOf,
  type Cell,
  type Change,
  type Folded,
  type Move,
  type Transition,
} from '../cell/index.ts'
import type { Contents, ProjectPath, Value } from '../data/index.ts'
import { findParts, mergeValues, restoreParts } from '../text/index.ts'
import type { Proposal } from './plan-draft.ts'
import type { Ledger, World } from './plan-world.ts'

/** The changes that the line's turns made to these paths and that are in the files. */
export function movesAt(
  ledger: Ledger,
  paths: ReadonlySet<ProjectPath>,
  includeUnsure: boolean,
): { moves: Move[]; left: Cell[] } {
  const end = ledger.line.findIndex(({ id }) => id === ledger.head)
  const active = new Set(ledger.line.slice(0, end + 1).map(({ id }) => id))
  const found = ledger.cells.filter(
    (cell) =>
      active.has(cell.turn) && isOn(cell, 'in') && pathsOf(cell).some((path) => paths.has(path)),
  )
  const isMoved = ({ doubt }: Cell): boolean => doubt === null || includeUnsure
  return {
    moves: found.filter(isMoved).map((cell) => ({ cell, to: 'out' })),
    left: found.filter((cell) => !isMoved(cell)),
  }
}

/**
 * The proposal for a file, cut down to some of the parts in which it would change. All of them are
 * the whole proposal. null: one of them is not there, or not as it was looked at.
 */
export function proposeParts(
  world: World,
  whole: Proposal,
  moves: readonly Move[],
  keys: ReadonlySet<string>,
): Proposal | null {
  const { attempt } = whole
  if (attempt.kind === 'conflict' || attempt.folded.files.length !== 1) return null
  const [{ path, pre, post }] = attempt.folded.files as [Folded['files'][number]]
  const parts = findParts(world.contents, post, pre)
  const value = restoreParts(world.contents, { old: post, now: pre }, keys)
  if (value === null) return null
  if (parts.every(({ key }) => keys.has(key))) return whole
  const done: Transition = { pre, post: value }
  const before = moves.map(({ cell }) => cell).toSorted((a, b) => a.seq - b.seq)
  const after = shrinkEffects(world.contents, before, done) ?? before
  const folded: Folded = {
    kind: 'folded',
    files: [{ path, ...done }],
    cells: after,
    how: [],
    kept: [],
  }
  return {
    ...whole,
    attempt: { kind: 'folded', folded },
    settle: () => null,
    record: (written) => ({
      cells: written.cells.flatMap((cell, at) =>
        cell === before[at] ? [] : [{ before: before[at]!, after: cell }],
      ),
      // The cells stay in: no move of theirs is the inverse of this.
      latestMoves: [
        {
          path,
          before: world.latestMoves.get(path) ?? null,
          after: { moved: [], files: written.files, cellsBefore: [] },
        },
      ],
    }),
  }
}

/**
 * What is left of the turns' effect. Without this, the parts that are still in the file and those
 * that are not would look like two people's edits beside each other, and the next undo would
 * conflict with them (sem.M4). null: it cannot be told which turn's effect it was.
 */
function shrinkEffects(
  contents: Contents,
  cells: readonly Cell[],
  done: Transition,
): readonly Cell[] | null {
  // What of the parts a newer change does not explain is an older one's.
  let rest = done
  const carry = (value: Value): Value | null => {
    const merge = mergeValues(contents, { base: rest.pre, ours: rest.post, theirs: value })
    return merge.kind === 'merged' ? merge.value : null
  }
  const shrunk: Cell[] = []
  for (const [at, cell] of cells.toReversed().entries()) {
    const eff: Change[] = []
    for (const [i, { before, after }] of cell.eff.toReversed().entries()) {
      // What stood there before all of them is what undoing the rest must lead to.
      const isOldest = at === cells.length - 1 && i === cell.eff.length - 1
      const [from, to] = [isOldest ? before : carry(before), carry(after)]
      if (from === null || to === null) return null
      eff.unshift({ before: from, after: to })
      rest = { pre: before, post: from }
    }
    shrunk.unshift({ ...cell, eff })
  }
  return shrunk
}
