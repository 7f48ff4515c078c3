import { getSessionFact, putSessionFact } from '#store'
import type { TurnId } from '#timeline'
import type { Project } from '../project/index.ts'

const FACT = 'forgotten-turns'

/** Turns that the user told Retake to forget: their recorded edits are not ingested again. */
export function forgottenTurns({ store }: Project, session: string): ReadonlySet<TurnId> {
  return new Set((getSessionFact(store, session, FACT) ?? []) as TurnId[])
}

export function noteForgotten(project: Project, session: string, turns: Iterable<TurnId>): void {
  const all = new Set([...forgottenTurns(project, session), ...turns])
  putSessionFact(project.store, session, FACT, [...all])
}
