import type { LogView } from '#protocol'

export type TurnView = LogView['turns'][number]

/** A session's turns, arranged for showing. */
export interface Line {
  /** From the first turn through the head to the tip that redo would reach. */
  readonly turns: readonly TurnView[]
  /** Index of the head in `turns`; -1 before the first turn. */
  readonly here: number
  readonly byId: ReadonlyMap<string, TurnView>
  /** All children of each turn, in transcript order; `null` has the first turns. */
  readonly children: ReadonlyMap<string | null, readonly TurnView[]>
}

export function readLine(log: LogView): Line {
  const byId = new Map(log.turns.map((turn) => [turn.id, turn]))
  const children = Map.groupBy(log.turns, ({ parent }) =>
    parent !== null && byId.has(parent) ? parent : null,
  )
  const turns = log.turns
    .filter(({ state }) => state !== 'other')
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
  const here = turns.findLastIndex(({ state }) => state === 'active')
  return { turns, here, byId, children }
}

/** Number of turns on the line, even if only the newest are loaded. */
export function lengthOf({ turns }: Line): number {
  return turns.at(-1)?.number ?? turns.length
}

/** All tries at this turn, itself included; only itself without a fork. */
export function siblingsOf(line: Line, turn: TurnView): readonly TurnView[] {
  const parent = turn.parent !== null && line.byId.has(turn.parent) ? turn.parent : null
  // If only the newest turns are loaded, the parent of the first is missing.
  if (parent === null && turn.parent !== null) return [turn]
  return line.children.get(parent) ?? [turn]
}

/** The first turn after the fork of the branch that a turn is on; it may be the turn itself. */
export function beginningOf(line: Line, turn: TurnView): TurnView {
  let at = turn
  while (siblingsOf(line, at).length < 2) {
    const parent = line.byId.get(at.parent ?? '')
    if (parent === undefined || parent.state !== 'other') break
    at = parent
  }
  return at
}

/** A turn and those that follow it on its own branch. */
export function turnsFrom(line: Line, first: TurnView): readonly TurnView[] {
  const turns: TurnView[] = []
  const seen = new Set<string>()
  let at: TurnView | undefined = first
  while (at !== undefined && !seen.has(at.id)) {
    turns.push(at)
    seen.add(at.id)
    const below: readonly TurnView[] = line.children.get(at.id) ?? []
    // Along the current line, else along the branch itself.
    at =
      below.find(({ state }) => state !== 'other' && first.state !== 'other') ??
      below.find(({ branch }) => branch === first.branch) ??
      below[0]
  }
  return turns
}

export function undoneTurns({ turns, here }: Line): readonly TurnView[] {
  return turns.slice(here + 1)
}

/** Indexes of the turns that have other tries. */
export function forkPlaces(line: Line): readonly number[] {
  return line.turns.flatMap((turn, place) => (siblingsOf(line, turn).length > 1 ? [place] : []))
}

/** How many distinct files the turns changed, and how many lines. */
export function effectOf(turns: readonly TurnView[]): {
  files: number
  added: number
  removed: number
} {
  const paths = new Set<string>()
  let [added, removed] = [0, 0]
  for (const { files } of turns)
    for (const file of files) {
      paths.add(file.path)
      added += file.added
      removed += file.removed
    }
  return { files: paths.size, added, removed }
}
