import type { FactChange } from '../data/index.ts'
import type { Plan } from './plan-result.ts'
import type { MarkVerb, Place } from './plan-world.ts'

/**
 * The plan of a verb that only sets names or marks of sessions, branches and turns. It changes no
 * file.
 */
export function planFacts(
  verb: MarkVerb,
  facts: readonly FactChange[],
  { place, seq }: { place: Place; seq: number },
): Plan {
  return {
    kind: 'plan',
    verb,
    from: place,
    to: place,
    turns: [],
    files: [],
    conflicts: [],
    cells: [],
    latestMoves: [],
    facts,
    emptied: [],
    made: [],
    unsure: [],
    notCovered: [],
    asks: [],
    warnings: [],
    inverts: null,
    seq,
  }
}
