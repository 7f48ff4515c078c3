import {
  sameValue,
  type Contents,
  type ProjectPath,
  type TurnId,
  type Value,
} from '../data/index.ts'

export type CellId = string & { readonly brand: 'CellId' }
export type OperationId = string & { readonly brand: 'OperationId' }

/** The author of a change (sem.A2). The timeline does not decide it. */
export type Author =
  | { readonly kind: 'turn'; readonly turn: TurnId }
  /** Unsure: it may be this turn's. Undo leaves it alone unless the user includes it. */
  | { readonly kind: Doubt; readonly turn: TurnId }
  | { readonly kind: 'operation'; readonly operation: OperationId }
  | { readonly kind: 'outside' | 'git' }

export type Doubt = 'shared' | 'unsure'

/** One observed change of one path. The links of a path form a chain: after(k) = before(k + 1). */
export interface Link {
  readonly seq: number
  readonly path: ProjectPath
  /** For a rename, the old path. `before` is the value there (sem.M5). */
  readonly renamedFrom: ProjectPath | null
  readonly before: Value
  readonly after: Value
  readonly author: Author
  /** Directories that this change created. */
  readonly madeDirectories?: readonly ProjectPath[]
  /** Set if a directory itself changed. Then `before` and `after` are absent. */
  readonly directory?: DirectoryChange
}

/**
 * A directory that was created or removed. Directories of files need no link: they come and go with
 * their files (sem.M6).
 */
export interface DirectoryChange {
  readonly change: 'made' | 'gone'
  readonly mode: number
}

export interface Change {
  readonly before: Value
  readonly after: Value
}

/** What a move replaced, and what it wrote. */
export interface Transition {
  readonly pre: Value
  readonly post: Value
  /**
   * Set if the user's choice decided the move, without a merge. Undoing it restores the user's
   * version, and the next move asks again: a choice is for one operation (sem.M7).
   */
  readonly forced?: {
    /** The cell's latest move before that. */
    readonly before: Transition | null
  }
  /**
   * Set if a cell moved in where another turn had left the same file. The move changed nothing, and
   * the file must stay when only one of the two moves out.
   */
  readonly twin?: {
    /** The cell as it was while out. */
    readonly last: Transition | null
    readonly eff: readonly Change[]
  }
}

/**
 * What one turn did to one path, and whether that effect is in the file or out.
 *
 * Redo inverts what the undo did, not what the turn did. So a cell records both: its effect
 * (`eff`), and what its latest move replaced and wrote (`last`).
 */
export interface Cell {
  readonly id: CellId
  readonly turn: TurnId
  readonly path: ProjectPath
  readonly renamedFrom: ProjectPath | null
  /** The number of its newest link, which orders the cells of a path. */
  readonly seq: number
  readonly in: boolean
  /** When it moved to its present side. */
  readonly since: number
  /** When it changed sides before that, oldest first. The first entry is its creation. */
  readonly earlier: readonly number[]
  /** Out for good: undo, redo and switch skip it (sem.V7). */
  readonly reverted: boolean
  readonly revertedSeq: number | null
  /** Oldest first. More than one if someone else changed the path in between. */
  readonly eff: readonly Change[]
  /** Null until its first move. */
  readonly last: Transition | null
  /** The same at `renamedFrom`. */
  readonly lastFrom: Transition | null
  /**
   * Set if the latest move changed nothing, because a newer turn had created or deleted the file.
   */
  readonly superseded?: {
    /** The `since` of that move. Any other move voids this. */
    readonly since: number
    readonly recordedAt: number
  }
  readonly doubt: Doubt | null
  /** The number of its links. */
  readonly changes: number
  readonly madeDirectories: readonly ProjectPath[]
  /** Set if the cell is about a directory. It has no value and cannot conflict. */
  readonly directory?: DirectoryChange
}

export type Side = 'in' | 'out'

export function pathsOf(cell: Cell): ProjectPath[] {
  return cell.renamedFrom === null ? [cell.path] : [cell.path, cell.renamedFrom]
}

/** Whether it moved in and found its effect already there, made by another turn. */
export function isTwin(cell: Cell): boolean {
  return cell.in && cell.last?.twin !== undefined
}

export function isOn(cell: Cell, side: Side): boolean {
  return cell.in === (side === 'in')
}

/**
 * Whether the cell's effect was in the file at that time. Another cell's recorded values include
 * this effect or not, and are only valid in the same situation (sem.V5).
 */
export function wasIn(cell: Cell, at: number): boolean {
  const flips = [...cell.earlier, cell.since]
  const later = flips.filter((flip) => flip > at).length
  return later < flips.length && cell.in === (later % 2 === 0)
}

/**
 * Why a side of the cell is unknown, in words. Null if both are known. Unknown is not absent: such
 * a cell is never inverted and never deletes (sem.A6).
 */
export function whyUnknown(cell: Cell, contents: Pick<Contents, 'has'>): string | null {
  const values = cell.eff.flatMap((change) => [change.before, change.after])
  for (const move of [cell.last, cell.lastFrom]) if (move !== null) values.push(move.pre, move.post)
  for (const value of values) {
    if (value.kind === 'unknown') return value.why
    if (value.kind === 'file' && !contents.has(value.content))
      return 'Retake no longer has its content'
  }
  return null
}

/** When the cell's effect was last recorded. A move that changed nothing does not count. */
export function recordedAt({ seq, since, superseded }: Cell): number {
  if (superseded?.since === since && seq < since) return superseded.recordedAt
  return Math.max(seq, since)
}

export function changesNothing(transition: Transition): boolean {
  return sameValue(transition.pre, transition.post)
}

/**
 * Used when the conversation continues with turns whose files are out: after a prompt voided a
 * pending move (sem.C3), or after going back to before the first turn. Their files stay out for
 * good. A later redo must not bring them back, because no undo took them out.
 */
export function stayOut(
  cells: readonly Cell[],
  turns: ReadonlySet<TurnId>,
  seq: number,
): readonly Cell[] {
  return cells.map((cell) =>
    turns.has(cell.turn) && !cell.in && !cell.reverted
      ? { ...cell, reverted: true, revertedSeq: seq }
      : cell,
  )
}

/**
 * The side of a turn's files: that of its newest move or change. Ignores cells that an operation
 * left behind (too large, unsure, kept by choice), which would hold back the turn's other paths
 * (sem.M7). Null: nothing of the turn can move.
 */
export function currentSide(
  cells: readonly Cell[],
  { includeUnsure = false }: { includeUnsure?: boolean } = {},
): Side | null {
  const movable = cells.filter((cell) => {
    if (whyUnknown(cell, { has: () => true }) !== null) return false
    return cell.in ? cell.doubt === null || includeUnsure : !cell.reverted
  })
  if (movable.length === 0) return null
  const newest = movable.reduce((last, cell) => (cell.since > last.since ? cell : last))
  return newest.in ? 'in' : 'out'
}

/** The state of a turn's files, as a summary of its cells. */
export type FilesState = 'none' | 'in' | 'out' | 'partly' | 'reverted'

export function filesStateOf(cells: readonly Cell[]): FilesState {
  if (cells.length === 0) return 'none'
  if (cells.every((cell) => cell.in)) return 'in'
  if (cells.some((cell) => cell.in)) return 'partly'
  return cells.some((cell) => cell.reverted) ? 'reverted' : 'out'
}
