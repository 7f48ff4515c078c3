import type { LogView } from '#protocol'

export type TurnView = LogView['turns'][number]

/** A session's turns, arranged for showing. */
export interface Line {
  /** From the first turn through the head to the tip that redo would reach. */
  readonly turns: readonly TurnView[]
  /** The head's place in `turns`; -1 when the session stands before the first. */
  readonly here: number
  readonly byId: ReadonlyMap<string, TurnView>
  /** All that went on from a turn, in the order they were written; null has the beginnings. */
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

/** How many turns the line has, also while only the newest of them are read. */
export function lengthOf({ turns }: Line): number {
  return turns.at(-1)?.number ?? turns.length
}

/** The turns that could stand in this one's place; a single one where there is no fork. */
export function siblingsOf(line: Line, turn: TurnView): readonly TurnView[] {
  const parent = turn.parent !== null && line.byId.has(turn.parent) ? turn.parent : null
  // While only the newest turns are known, the first of them has no parent here.
  if (parent === null && turn.parent !== null) return [turn]
  return line.children.get(parent) ?? [turn]
}

/** Where the line that a turn is on parts from others: the turn itself, or one before it. */
export function beginningOf(line: Line, turn: TurnView): TurnView {
  let at = turn
  while (siblingsOf(line, at).length < 2) {
    const parent = line.byId.get(at.parent ?? '')
    if (parent === undefined || parent.state !== 'other') break
    at = parent
  }
  return at
}

/** A turn and what follows it on its own branch. */
export function turnsFrom(line: Line, first: TurnView): readonly TurnView[] {
  const turns: TurnView[] = []
  const seen = new Set<string>()
  let at: TurnView | undefined = first
  while (at !== undefined && !seen.has(at.id)) {
    turns.push(at)
    seen.add(at.id)
    const below: readonly TurnView[] = line.children.get(at.id) ?? []
    // Along the line the session is on, else along the branch itself.
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

/** Turns that fork: where another line begins beside the current one. */
export function forkPlaces(line: Line): readonly number[] {
  return line.turns.flatMap((turn, place) => (siblingsOf(line, turn).length > 1 ? [place] : []))
}

/** How many different files turns changed, with their lines. */
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
