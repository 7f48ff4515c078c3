import { cellsOfTurn, getSessionFact, putSessionFact, sessionFacts, type Store } from '#store'
import type { LeftReport, TurnId } from '#timeline'
import type { CombinedLink } from './combined-link.ts'

/** A change that may be this turn's but is recorded as another turn's. */
interface Shared {
  readonly path: string
  readonly turn: TurnId
}

const PROJECT = '*'
const PREFIX = 'shared-with/'
const nameOf = (turn: TurnId): string => `${PREFIX}${turn}`

function sharedIn(store: Store, turn: TurnId): readonly Shared[] {
  return (getSessionFact(store, PROJECT, nameOf(turn)) ?? []) as Shared[]
}

/**
 * A change belongs to one turn. The other turns whose commands ran then must list it too (sem.A5).
 */
export function noteShared(store: Store, { path, author, sharedWith = [] }: CombinedLink): void {
  const shared = { path, turn: author.id as TurnId }
  for (const turn of sharedWith) {
    const known = sharedIn(store, turn).filter((each) => each.path !== path)
    putSessionFact(store, PROJECT, nameOf(turn), [...known, shared])
  }
}

/** Changes that commands of these turns may have made, recorded as another turn's and still in. */
export function leftShared(store: Store, turns: readonly TurnId[]): LeftReport[] {
  const isPlanned = new Set(turns)
  // One query instead of one per turn: a plan can have ten thousand turns.
  const paths = sessionFacts(store, PROJECT, PREFIX)
    .filter(({ name }) => isPlanned.has(name.slice(PREFIX.length) as TurnId))
    .flatMap(({ fact }) => fact as Shared[])
    .filter(({ turn }) => !isPlanned.has(turn))
    .filter(({ path, turn }) =>
      cellsOfTurn(store, turn).some(({ cell }) => cell.path === path && cell.in),
    )
    .map(({ path }) => path)
  const why = 'commands of more than one turn ran then; the other turn has it'
  return [...new Set(paths)].sort().map((path) => ({ path, kind: 'shared', why }))
}
