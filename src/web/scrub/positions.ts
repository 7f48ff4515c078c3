import type { MomentsView } from '#protocol'

/** A moment to look at: before the first turn, after a step, or after a turn. */
export interface Position {
  /** Null before the first turn. */
  readonly turn: MomentsView['turns'][number] | null
  /** After the whole turn, not after one of its steps. */
  readonly isEnd: boolean
  readonly seq?: number
  /** The file that changed last. */
  readonly path?: string
  /** The step's number, and the number of steps in the turn. */
  readonly step?: readonly [number, number]
  /** Files that changed here; at the end of a turn, all files of the turn. */
  readonly changed: ReadonlySet<string>
}

/** From before the first turn to the tip. A turn with one change has only its end. */
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
