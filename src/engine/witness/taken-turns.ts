import { getSessionFact, type Store } from '#store'
import type { TurnId } from '#timeline'

/** What has been taken over of a session's turns. */
export type TakenTurns = Record<TurnId, TakenTurn>

export interface TakenTurn {
  /** The ledger's number when it was first taken. */
  readonly seq: number
  readonly rows: number
  /** Which rules mapped its paths; turns taken by older rules are read again. */
  readonly paths?: number
  /** Edited files that lay outside of the project and of all agreed directories. */
  readonly outside?: readonly string[]
}

/** 1: by text. 2: by the real path (sem.A11). 3: in agreed directories too (sem.A9). */
export const PATH_RULES = 3

export const TAKEN_TURNS = 'taken-turns'

export function takenTurns({ store }: { readonly store: Store }, session: string): TakenTurns {
  return (getSessionFact(store, session, TAKEN_TURNS) ?? {}) as TakenTurns
}
