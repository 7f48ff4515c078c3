import type { MomentsView } from '#protocol'

/** A place on the line at which one can look: before everything, after a step, after a turn. */
export interface Position {
  /** Null: before the first turn. */
  readonly turn: MomentsView['turns'][number] | null
  /** After the whole turn, and not in the middle of it. */
  readonly isEnd: boolean
  readonly seq?: number
  /** The file of the step. */
  readonly path?: string
  /** Which step of how many. */
  readonly step?: readonly [number, number]
  /** Files that changed here; after a turn all of the turn's. */
  readonly changed: ReadonlySet<string>
}

/** From before the first turn to the tip. A turn with one change has no middle. */
export function positionsOf({ turns }: MomentsView): Position[] {
  const start: Position = { turn: null, isEnd: true, changed: new Set() }
  return [
    start,
    ...turns.flatMap((turn): Position[] => [
      ...turn.steps.slice(0, -1).map(({ seq, path }, at): Position => ({
        turn,
        isEnd: false,
        seq,
        path,
        step: [at + 1, turn.steps.length],
        changed: new Set([path]),
      })),
      {
        turn,
        isEnd: true,
        changed: new Set(turn.steps.map(({ path }) => path)),
        ...lastPath(turn.steps),
      },
    ]),
  ]
}

function lastPath(steps: MomentsView['turns'][number]['steps']): { path?: string } {
  const last = steps.at(-1)
  return last === undefined ? {} : { path: last.path }
}
