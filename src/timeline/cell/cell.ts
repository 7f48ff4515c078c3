import {
  sameValue,
  type Contents,
  type ProjectPath,
  type TurnId,
  type Value,
} from '../data/index.ts'

export type CellId = string & { readonly brand: 'CellId' }
export type OperationId = string & { readonly brand: 'OperationId' }

/** Whose change it is (sem.A2). Who decides that is not the timeline. */
export type Author =
  | { readonly kind: 'turn'; readonly turn: TurnId }
  /** In doubt: it may be this turn's, and it is no part of undo unless somebody includes it. */
  | { readonly kind: Doubt; readonly turn: TurnId }
  | { readonly kind: 'operation'; readonly operation: OperationId }
  | { readonly kind: 'outside' | 'git' }

export type Doubt = 'shared' | 'unsure'

/** One observed change of one path. The links of a path form a chain: after(k) = before(k + 1). */
export interface Link {
  readonly seq: number
  readonly path: ProjectPath
  /** For a rename, where the file stood before: `before` is the value there (sem.M5). */
  readonly renamedFrom: ProjectPath | null
  readonly before: Value
  readonly after: Value
  readonly author: Author
  /** Directories that this change brought into being. */
  readonly madeDirectories?: readonly ProjectPath[]
  /** Set when the change is that of a directory itself; `before` and `after` are absent then. */
  readonly directory?: DirectoryChange
}

/** A directory that came or went. Files need none: theirs come and go with them (sem.M6). */
export interface DirectoryChange {
  readonly change: 'made' | 'gone'
  readonly mode: number
}

export interface Change {
  readonly before: Value
  readonly after: Value
}

/** What a move replaced, and what it wrote in its place. */
export interface Transition {
  readonly pre: Value
  readonly post: Value
  /**
   * Set when a choice settled the move and nothing merged. Taking it back gives the person's
   * version back, and the next move asks again: a choice is about one operation (sem.M7).
   */
  readonly forced?: {
    /** What the cell's latest move was before that. */
    readonly before: Transition | null
  }
  /**
   * Set when a cell came in where another turn had left the same file. The move changed nothing,
   * and the file must stay when only one of the two goes.
   */
  readonly twin?: {
    /** The cell as it was out. */
    readonly last: Transition | null
    readonly eff: readonly Change[]
  }
}

/**
 * What one turn did to one path, and whether that effect is in the file or out.
 *
 * Redo inverts what the undo did and not what the turn once did, so a cell remembers both: its
 * effect (`eff`), and what its latest move really replaced and wrote (`last`).
 */
export interface Cell {
  readonly id: CellId
  readonly turn: TurnId
  readonly path: ProjectPath
  readonly renamedFrom: ProjectPath | null
  /** Of its newest link: its place among the cells of the path. */
  readonly seq: number
  readonly in: boolean
  /** When it came to the side it is on. */
  readonly since: number
  /** When it changed sides before that, oldest first; the first entry is when it was made. */
  readonly earlier: readonly number[]
  /** Out for good: undo, redo and switch leave it (sem.V7). */
  readonly reverted: boolean
  readonly revertedSeq: number | null
  /** Oldest first. More than one where somebody else changed the path in between. */
  readonly eff: readonly Change[]
  /** null until it is moved for the first time. */
  readonly last: Transition | null
  /** The same at `renamedFrom`. */
  readonly lastFrom: Transition | null
  /** Set when the latest move changed nothing, because a newer turn had made or deleted the file. */
  readonly superseded?: {
    /** That move's `since`: any other move voids this. */
    readonly since: number
    readonly recordedAt: number
  }
  readonly doubt: Doubt | null
  /** How many links it stands for. */
  readonly changes: number
  readonly madeDirectories: readonly ProjectPath[]
  /** Set when the cell is about a directory: it has no value, and nothing of it can conflict. */
  readonly directory?: DirectoryChange
}

export type Side = 'in' | 'out'

export function pathsOf(cell: Cell): ProjectPath[] {
  return cell.renamedFrom === null ? [cell.path] : [cell.path, cell.renamedFrom]
}

/** It came in and found its effect there, made by another turn. */
export function isTwin(cell: Cell): boolean {
  return cell.in && cell.last?.twin !== undefined
}

export function isOn(cell: Cell, side: Side): boolean {
  return cell.in === (side === 'in')
}

/**
 * Whether the cell's effect was in the file at that moment. What was recorded about a cell then
 * counts with it or without it, and is only right to use in the same company (sem.V5).
 */
export function wasIn(cell: Cell, at: number): boolean {
  const flips = [...cell.earlier, cell.since]
  const later = flips.filter((flip) => flip > at).length
  return later < flips.length && cell.in === (later % 2 === 0)
}

/**
 * Why a side of the cell is unknown, in words; null when both are known. Unknown is not absent:
 * such a cell is never inverted and never deletes (sem.A6).
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

/** When what the cell knows about its effect was recorded. A move that changed nothing recorded nothing. */
export function recordedAt({ seq, since, superseded }: Cell): number {
  if (superseded?.since === since && seq < since) return superseded.recordedAt
  return Math.max(seq, since)
}

export function changesNothing(transition: Transition): boolean {
  return sameValue(transition.pre, transition.post)
}

/**
 * The conversation went on with turns whose files are out: a prompt voided a pending move (sem.C3)
 * or came after going back to before the first turn. Those files stay out for good; a later redo
 * that brought them back would change files that nobody undid.
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
 * The side on which a turn's files stand, for verbs that start from there: that of its newest move
 * or change. Cells that an operation left behind do not count (too large, in doubt, kept by
 * choice), or they would hold back the turn's other paths (sem.M7). Null: nothing of it can move.
 */
export function standingSide(
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

/** A turn is in, out or partly in only as a summary of its cells. */
export type FilesState = 'none' | 'in' | 'out' | 'partly' | 'reverted'

export function filesStateOf(cells: readonly Cell[]): FilesState {
  if (cells.length === 0) return 'none'
  if (cells.every((cell) => cell.in)) return 'in'
  if (cells.some((cell) => cell.in)) return 'partly'
  return cells.some((cell) => cell.reverted) ? 'reverted' : 'out'
}
