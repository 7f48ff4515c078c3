import { markOf, noMarks, type Marks } from './marks.ts'
import type { Turn, TurnId } from './turn.ts'

/**
 * A session's turns as branches. Turns are in the order they were written. The first child
 * continues its parent's branch, every later one starts a new branch. So a branch's id stays the
 * same while it grows.
 */
export interface Tree {
  readonly turns: ReadonlyMap<TurnId, Turn>
  readonly children: ReadonlyMap<TurnId | null, readonly TurnId[]>
  readonly head: TurnId | null
  /** From the first turn through the head to the tip that redo would reach. */
  readonly line: readonly TurnId[]
  /** The index of each turn on the line, from 0. */
  readonly places: ReadonlyMap<TurnId, number>
  readonly branches: readonly Branch[]
  readonly branchOf: ReadonlyMap<TurnId, Branch>
  /** The branch on which the line ends. Null if there are no turns. */
  readonly current: Branch | null
  /** Turns that are only on deleted branches. */
  readonly deleted: ReadonlySet<TurnId>
  readonly marks: Marks
}

export interface Branch {
  /** The session's id for the trunk, else the id of the branch's first own turn. */
  readonly id: string
  /** The turn at which it diverges. Null for the trunk, and for a branch without a parent. */
  readonly fork: TurnId | null
  /** Its own turns, without the shared ones. */
  readonly turns: readonly TurnId[]
  readonly tip: TurnId
}

export type TurnState = 'active' | 'undone' | 'other'

/** What Retake knows about a session besides its turns. */
export interface KnownOfTree {
  /** The tip of the line on which the session last moved, if known. */
  readonly tip: TurnId | null
  readonly marks: Marks
}

export function buildTree(
  session: string,
  turns: readonly Turn[],
  head: TurnId | null,
  { tip: knownTip, marks }: KnownOfTree = { tip: null, marks: noMarks },
): Tree {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const children = new Map<TurnId | null, TurnId[]>()
  for (const turn of turns) {
    const parent = turn.parent !== null && byId.has(turn.parent) ? turn.parent : null
    const list = children.get(parent)
    if (list) list.push(turn.id)
    else children.set(parent, [turn.id])
  }
  const branches = findBranches(session, children)
  const branchOf = new Map(branches.flatMap((branch) => branch.turns.map((id) => [id, branch])))
  const dropped = turnsOnlyOf(byId, branches, ({ id }) => markOf(marks, id).deleted)
  const below = turnsBelow(children, head)
  // The branch may have grown since this tip was recorded.
  const from = knownTip !== null && below.has(knownTip) ? turnsBelow(children, knownTip) : below
  const shown = head !== null && dropped.has(head) ? new Set() : dropped
  const tip =
    turns.findLast(({ id }) => from.has(id) && !children.has(id) && !shown.has(id))?.id ?? head
  const line = pathTo(byId, tip)
  for (const id of line) dropped.delete(id)
  return {
    turns: byId,
    children,
    head,
    line,
    places: new Map(line.map((id, place) => [id, place])),
    branches,
    branchOf,
    current: (tip !== null && branchOf.get(tip)) || null,
    deleted: dropped,
    marks,
  }
}

/** The turns that are only on these branches. Turns that another branch shares stay (sem.K1). */
export function turnsOnlyOf(
  turns: ReadonlyMap<TurnId, Turn>,
  branches: readonly Branch[],
  isGone: (branch: Branch) => boolean,
): Set<TurnId> {
  const gone = branches.filter(isGone)
  if (gone.length === 0) return new Set()
  const kept = branches.filter((branch) => !isGone(branch))
  const shared = new Set(kept.flatMap(({ tip }) => pathTo(turns, tip)))
  return new Set(gone.flatMap((branch) => branch.turns).filter((id) => !shared.has(id)))
}

export function pathTo(turns: ReadonlyMap<TurnId, Turn>, id: TurnId | null): TurnId[] {
  const path: TurnId[] = []
  const seen = new Set<TurnId>()
  let at = id
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    path.push(at)
    at = turns.get(at)?.parent ?? null
    if (at !== null && !turns.has(at)) break
  }
  return path.toReversed()
}

/** The turn's number on the current line, from 1. Null for turns of other branches. */
export function numberOf(tree: Tree, id: TurnId): number | null {
  const place = tree.places.get(id)
  return place === undefined ? null : place + 1
}

/** The turn's number on its own branch, as in `BRANCH:NUMBER`. */
export function depthOf(tree: Tree, id: TurnId): number {
  return pathTo(tree.turns, id).length
}

export function stateOf(tree: Tree, id: TurnId): TurnState {
  const place = tree.places.get(id)
  if (place === undefined) return 'other'
  const head = tree.head === null ? -1 : tree.places.get(tree.head)!
  return place <= head ? 'active' : 'undone'
}

function findBranches(
  session: string,
  children: ReadonlyMap<TurnId | null, readonly TurnId[]>,
): Branch[] {
  const branches: Branch[] = []
  const starts: { id: string; fork: TurnId | null; first: TurnId }[] = []
  const note = (fork: TurnId | null, ids: readonly TurnId[]): void => {
    for (const first of ids) starts.push({ id: first, fork, first })
  }
  const roots = children.get(null) ?? []
  if (roots.length > 0) starts.push({ id: session, fork: null, first: roots[0]! })
  note(null, roots.slice(1))
  for (let next = starts.shift(); next !== undefined; next = starts.shift()) {
    const own: TurnId[] = []
    let at: TurnId | undefined = next.first
    while (at !== undefined) {
      own.push(at)
      const below: readonly TurnId[] = children.get(at) ?? []
      note(at, below.slice(1))
      at = below[0]
    }
    branches.push({ id: next.id, fork: next.fork, turns: own, tip: own.at(-1)! })
  }
  return branches
}

/** The head and everything after it, on any branch. */
function turnsBelow(
  children: ReadonlyMap<TurnId | null, readonly TurnId[]>,
  head: TurnId | null,
): Set<TurnId> {
  const below = new Set<TurnId>(head === null ? [] : [head])
  const open = [...(children.get(head) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (below.has(id)) continue
    below.add(id)
    open.push(...(children.get(id) ?? []))
  }
  return below
}
