import { isOn, type Cell, type Move } from '../cell/index.ts'
import type { NothingToDo, Refused } from './plan-result.ts'
import type { Ledger, LineTurn, Operation, Place, PlanOptions, PlanRequest } from './plan-world.ts'
import type { TurnId } from '../data/index.ts'

/** The turns that a request moves out (newest first) and in (oldest first), and where it ends. */
export interface Route {
  readonly kind: 'route'
  readonly outs: readonly TurnId[]
  readonly ins: readonly TurnId[]
  readonly to: Place
  /** A turn whose cells become reverted, or no longer are (sem.V7). */
  readonly marks?: { readonly turn: TurnId; readonly reverted: boolean }
}

export type RouteRequest = Extract<
  PlanRequest,
  { verb: 'undo' | 'redo' | 'rewind' | 'switch' | 'revert' | 'revert-off' | 'exact' }
>

export type RouteOutcome = Route | Pick<NothingToDo, 'kind' | 'why'> | Pick<Refused, 'kind' | 'why'>

export function findRoute(
  ledger: Ledger,
  request: RouteRequest,
  { includeUnsure = false }: Pick<PlanOptions, 'includeUnsure'> = {},
): RouteOutcome {
  const here = positionOf(ledger)
  switch (request.verb) {
    case 'undo': {
      const left = includeUnsure ? leftAhead(ledger) : []
      if (left.length > 0) return { kind: 'route', outs: left, ins: [], to: placeOf(ledger) }
      if (here < 0) return { kind: 'nothing-to-do', why: 'at-start' }
      return routeTo(ledger, Math.max(-1, here - request.count))
    }
    case 'redo': {
      const tip = ledger.line.length - 1
      const ahead = ledger.line.flatMap(({ id }, at) =>
        at > here || ledger.leftOut?.has(id) === true ? [at] : [],
      )
      if (ahead.length === 0) return { kind: 'nothing-to-do', why: 'at-tip' }
      const target = request.count === 'all' ? tip : (ahead[request.count - 1] ?? tip)
      return { ...routeTo(ledger, target), outs: [] }
    }
    case 'rewind': {
      if ('before' in request) {
        const index = indexOf(ledger.line, request.before)
        return index < 0 ? { kind: 'refused', why: 'unknown-turn' } : routeTo(ledger, index - 1)
      }
      return routeToTurn(ledger, request.to)
    }
    case 'exact':
      return routeToTurn(ledger, request.to)
    case 'switch':
      return routeToBranch(ledger, request.line, request.to)
    case 'revert':
      return {
        kind: 'route',
        outs: [request.turn],
        ins: [],
        to: placeOf(ledger),
        marks: { turn: request.turn, reverted: true },
      }
    case 'revert-off': {
      // For a turn that is undone or on another branch, this only clears the mark. Bringing its
      // files in now would not match the conversation.
      const index = indexOf(ledger.line, request.turn)
      const isOut = ledger.beforeFirst && index === 0
      const active = index >= 0 && index <= here && !isOut
      return {
        kind: 'route',
        outs: [],
        ins: active ? [request.turn] : [],
        to: placeOf(ledger),
        marks: { turn: request.turn, reverted: false },
      }
    }
  }
}

export function placeOf(ledger: Ledger): Place {
  return {
    turn: ledger.head,
    beforeFirst: ledger.beforeFirst,
    tip: ledger.line.at(-1)?.id ?? null,
  }
}

export function samePlace(a: Place, b: Place): boolean {
  return a.turn === b.turn && a.tip === b.tip && a.beforeFirst === b.beforeFirst
}

/** The index on the line up to which files are in. -1 is before the first turn. */
function positionOf(ledger: Ledger): number {
  if (ledger.head === null) return -1
  if (ledger.beforeFirst && canReturn(ledger.cells, ledger.head)) return -1
  return indexOf(ledger.line, ledger.head)
}

/**
 * Undone turns, newest first, whose undo left unsure changes in the files. Including those now
 * completes that undo and must not undo another turn.
 */
function leftAhead(ledger: Ledger): TurnId[] {
  const ahead = ledger.line.slice(positionOf(ledger) + 1).map(({ id }) => id)
  const isLeft = (turn: TurnId): boolean =>
    ledger.cells.some((cell) => cell.turn === turn && cell.doubt !== null && cell.in)
  return ahead.filter(isLeft).toReversed()
}

/** Whether a redo of the turn would change files. */
export function canReturn(cells: readonly Cell[], turn: TurnId): boolean {
  return cells.some((cell) => cell.turn === turn && isOn(cell, 'out') && !cell.reverted)
}

/**
 * Whether a session's files are before its first turn although the conversation has it. The newest
 * operation that moved the session records it, and a newer prompt voids it.
 */
export function isBeforeFirst(
  newest: Pick<Operation, 'to' | 'seq'> | null,
  { line, head }: Pick<Ledger, 'line' | 'head'>,
): boolean {
  if (newest === null || !newest.to.beforeFirst || newest.to.turn !== head) return false
  return line.every((turn) => turn.seq <= newest.seq)
}

function indexOf(line: readonly LineTurn[], turn: TurnId): number {
  return line.findIndex(({ id }) => id === turn)
}

function routeToTurn(ledger: Ledger, to: TurnId | null): RouteOutcome {
  if (to === null) return routeTo(ledger, -1)
  const index = indexOf(ledger.line, to)
  return index < 0 ? { kind: 'refused', why: 'unknown-turn' } : routeTo(ledger, index)
}

function routeTo(ledger: Ledger, target: number): Route {
  const here = positionOf(ledger)
  const ids = ledger.line.map(({ id }) => id)
  return {
    kind: 'route',
    outs: ids.slice(target + 1, here + 1).toReversed(),
    ins: ids.slice(0, target + 1).filter((id, at) => {
      const left = ledger.leftOut?.get(id)
      return at > here || left === 'any' || (left === 'forward' && target >= here)
    }),
    to: placeAt(ledger.line, target),
  }
}

/** Moves out to the fork, then in to the target (sem.V6). */
function routeToBranch(
  ledger: Ledger,
  line: readonly LineTurn[],
  to: TurnId | undefined,
): RouteOutcome {
  const target = to === undefined ? line.length - 1 : indexOf(line, to)
  if (target < 0) return { kind: 'refused', why: 'unknown-turn' }
  const standing = ledger.line.slice(0, positionOf(ledger) + 1).map(({ id }) => id)
  const wanted = line.slice(0, target + 1).map(({ id }) => id)
  let shared = 0
  while (shared < standing.length && standing[shared] === wanted[shared]) shared++
  return {
    kind: 'route',
    outs: standing.slice(shared).toReversed(),
    ins: wanted.slice(shared),
    to: placeAt(line, target),
  }
}

function placeAt(line: readonly LineTurn[], index: number): Place {
  return {
    turn: line[Math.max(index, 0)]?.id ?? null,
    beforeFirst: index < 0,
    tip: line.at(-1)?.id ?? null,
  }
}

/**
 * The cells that a route moves. Cells already on the wanted side stay, so every verb can be
 * repeated (sem.V3). Unsure cells move out only if the user includes them. Once out, they come back
 * with their turn (sem.A5).
 */
export function movesOf(
  route: Route,
  cells: readonly Cell[],
  includeUnsure: boolean,
): { moves: Move[]; left: Cell[] } {
  const outs = new Set(route.outs)
  const ins = new Set(route.ins)
  const comesBack = route.marks?.reverted === false ? route.marks.turn : null
  const moves: Move[] = []
  const left: Cell[] = []
  for (const cell of cells) {
    if (outs.has(cell.turn) && isOn(cell, 'in')) {
      if (cell.doubt === null || includeUnsure) moves.push({ cell, to: 'out' })
      else left.push(cell)
    }
    if (ins.has(cell.turn) && isOn(cell, 'out')) {
      if (!cell.reverted || cell.turn === comesBack) moves.push({ cell, to: 'in' })
    }
  }
  return { moves, left }
}
