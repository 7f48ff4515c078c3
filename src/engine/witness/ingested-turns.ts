import { getLargeFact, type Store } from '#store'
import type { TurnId } from '#timeline'

/** What has been ingested of a session's turns. */
export type IngestedTurns = Record<TurnId, IngestedTurn>

export interface IngestedTurn {
  /** The ledger's number when the turn was first ingested. */
  readonly seq: number
  readonly rows: number
  /** The version of the path rules; turns ingested under older rules are read again. */
  readonly paths?: number
  /** Edited files outside the project and all agreed directories. */
  readonly outside?: readonly string[]
}

/** 1: by path text. 2: by real path (sem.A11). 3: in agreed directories too (sem.A9). */
export const PATH_RULES = 3

export const INGESTED_TURNS = 'taken-turns'

export function ingestedTurns(
  { store }: { readonly store: Store },
  session: string,
): IngestedTurns {
  return (getLargeFact(store, session, INGESTED_TURNS) ?? {}) as IngestedTurns
}
