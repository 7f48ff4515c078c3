import { isOn, type Cell, type CellId } from './cell.ts'
import { moveCell, valueAt, type MoveConflictReason, type State } from './cell-move.ts'
import { endOf, startOf } from './replaced-files.ts'
import { sameValue, type Contents, type ProjectPath, type Value } from '../data/index.ts'
import type { KeptMine, MergeKind } from '../text/index.ts'
import type { Move, MoveGroup } from './move-group.ts'
import { isSuperseded } from './supersede.ts'

export interface FileChange {
  readonly path: ProjectPath
  readonly pre: Value
  readonly post: Value
}

/**
 * What the newest operation on a path did. Moving exactly these cells the other way inverts it
 * exactly, whatever was chosen or merged (sem.V2).
 */
export interface LatestMove {
  readonly moved: readonly { readonly cell: CellId; readonly to: Move['to'] }[]
  /** Every path of the group, including this one. */
  readonly files: readonly FileChange[]
  /** Every changed cell of the group, as it was before. */
  readonly cellsBefore: readonly Cell[]
  /** The user's choice decided it, without a merge. */
  readonly forced?: true
  /** It undid a forced move. Inverting it again would repeat a choice without asking (sem.M7). */
  readonly unforced?: true
}

export interface FoldInput {
  readonly contents: Contents
  readonly now: State
  readonly cells: ReadonlyMap<CellId, Cell>
  readonly latestMoves: ReadonlyMap<ProjectPath, LatestMove>
  /** The first unused time for this operation. */
  readonly stamp: number
}

export type Fold =
  | Folded
  | { readonly kind: 'conflict'; readonly cell: Cell; readonly reason: MoveConflictReason }

export interface Folded {
  readonly kind: 'folded'
  readonly files: readonly FileChange[]
  /** Moved and lifted cells, as they are after the operation. */
  readonly cells: readonly Cell[]
  readonly how: readonly MergeKind[]
  readonly kept: readonly { readonly path: ProjectPath; readonly what: KeptMine }[]
  /** As in `LatestMove`. */
  readonly forced?: true
  readonly unforced?: true
}

/** Moves a group's cells one by one in memory. The result is written once, or not at all. */
export function foldGroup(group: MoveGroup, input: FoldInput): Fold {
  const exact = invertLatest(group, input)
  if (exact !== null) return exact
  const cells = new Map<CellId, Cell>()
  const how: MergeKind[] = []
  const kept: { path: ProjectPath; what: KeptMine }[] = []
  let state = startOf(group, input.now)
  let stamp = input.stamp
  let unforced = false
  for (const step of group.steps) {
    const cell = cells.get(step.cell.id) ?? step.cell
    if (isOn(cell, step.to)) continue
    const isOfOther = (value: Value): boolean =>
      [...input.cells.values()].some((each) => isAsLeft(cells.get(each.id) ?? each, cell, value))
    const isIn = ({ id }: Cell): boolean => (cells.get(id) ?? input.cells.get(id))!.in
    const move = moveCell({
      contents: input.contents,
      cell,
      side: step.to,
      state,
      stamp: stamp++,
      isSuperseded: isSuperseded(cell, group.around, isIn),
      isOldPathTaken: isTakenByDirectory(cell, group.around.filter(isIn)),
      isOfOther,
    })
    if (move.kind === 'conflict') return move
    state = move.state
    how.push(...move.how)
    kept.push(...move.kept.map((what) => ({ path: cell.path, what })))
    cells.set(cell.id, move.cell)
    unforced ||= cell.last?.forced !== undefined
  }
  const after = endOf(group, input.now, state)
  if (after === null)
    return { kind: 'conflict', cell: group.moves[0]!.cell, reason: 'new-path-occupied' }
  return {
    kind: 'folded',
    files: group.paths.map((path) => ({
      path,
      pre: valueAt(input.now, path),
      post: valueAt(after, path),
    })),
    cells: [...cells.values()],
    how,
    kept,
    ...(unforced ? { unforced: true as const } : {}),
  }
}

/**
 * The newest directory cell decides whether a directory is there (sem.M6). A directory that the
 * rename's own turn made contained the file, and goes when the file leaves it.
 */
function isTakenByDirectory({ seq, turn, renamedFrom }: Cell, around: readonly Cell[]): boolean {
  if (renamedFrom === null) return false
  const newer = around.filter((each) => each.directory !== undefined && each.path === renamedFrom && each.seq > seq && each.turn !== turn) // prettier-ignore
  return newer.toSorted((a, b) => a.seq - b.seq).at(-1)?.directory?.change === 'made'
}

/** Whether the file has the value that another cell of the path left. */
export function isAsLeft(other: Cell, { id, path }: Cell, value: Value): boolean {
  if (other.id === id || !other.in || other.path !== path) return false
  return other.directory === undefined && sameValue(other.eff.at(-1)!.after, value)
}

function invertLatest(group: MoveGroup, input: FoldInput): Fold | null {
  const latest = group.paths.map((path) => input.latestMoves.get(path))
  const first = latest[0]
  if (first === undefined || first.files.length !== group.paths.length) return null
  if (latest.some((move) => move?.unforced === true)) return null
  const wanted = keyOf(group.moves.map(({ cell, to }) => ({ cell: cell.id, to: opposite(to) })))
  if (latest.some((move) => move === undefined || keyOf(move.moved) !== wanted)) return null
  for (const { path, post } of first.files)
    if (!group.paths.includes(path) || !sameValue(valueAt(input.now, path), post)) return null
  const cells: Cell[] = []
  for (const before of first.cellsBefore) {
    const present = input.cells.get(before.id)
    // A cell that grew since includes more than that operation moved.
    if (present === undefined || present.seq !== before.seq) return null
    // A turn changed the path since, so the equal file may have another reason.
    if (group.around.some((cell) => cell.seq > present.since)) return null
    if (present.superseded?.since === present.since) return null
    cells.push({ ...before, reverted: present.reverted, revertedSeq: present.revertedSeq })
  }
  return {
    kind: 'folded',
    files: first.files.map(({ path, pre, post }) => ({ path, pre: post, post: pre })),
    cells,
    how: ['put'],
    kept: [],
    ...(first.forced === true ? { unforced: true as const } : {}),
  }
}

function opposite(side: Move['to']): Move['to'] {
  return side === 'in' ? 'out' : 'in'
}

function keyOf(moved: LatestMove['moved']): string {
  return moved
    .map(({ cell, to }) => `${to} ${cell}`)
    .sort()
    .join('\n')
}
