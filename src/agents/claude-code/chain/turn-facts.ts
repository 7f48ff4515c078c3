import type { TurnFacts } from '../../open-session.ts'
import type { Row } from '../rows/index.ts'
import type { TurnRows } from './turns.ts'

// Every move of the conversation leaves a note on the turn it went to. If notes counted, Retake
// would read that turn again each time.
const known = new WeakMap<TurnRows, TurnFacts>()

export function factsOf(turn: TurnRows): TurnFacts {
  let facts = known.get(turn)
  if (facts === undefined) noteFacts(turn, (facts = findFacts(turn)))
  return facts
}

export function noteFacts(turn: TurnRows, facts: TurnFacts): void {
  known.set(turn, facts)
}

function findFacts({ turn, rows }: TurnRows): TurnFacts {
  // Exclude Retake's own marks: a move adds one to its target turn, long after that turn.
  const own = rows.filter(
    ({ subtype }) => subtype !== 'informational' && subtype !== 'compact_boundary',
  )
  const answers = rows.filter(({ type }) => type === 'assistant')
  return {
    started: timesOf(answers)[0] ?? timesOf(rows).at(-1) ?? null,
    ended: timesOf(own).at(-1) ?? null,
    rows: own.length,
    messages:
      new Set(answers.map(({ messageId }) => messageId)).size + (turn.kind === 'orphan' ? 0 : 1),
  }
}

function timesOf(rows: readonly Row[]): number[] {
  return rows
    .map(({ at }) => Date.parse(at ?? ''))
    .filter((at) => !Number.isNaN(at))
    .sort((a, b) => a - b)
}
