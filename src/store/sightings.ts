import type { ProjectPath, TurnId, Value } from '#timeline'
import { all, one, run } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes, readValueText, valueText } from './value-text.ts'

/** A path that differed between two looks at the project. Whose change it was is decided later. */
export interface Sighting {
  readonly path: ProjectPath
  readonly before: Value
  readonly after: Value
  /** The look before and this one, in ms since 1970. */
  readonly since: number
  readonly at: number
  readonly changedAt: number | null
  readonly madeDirectories: readonly ProjectPath[]
}

/** When a step that may write unseen really ran. */
export interface ShellStep {
  readonly tool: string
  readonly session: string
  readonly turn: TurnId
  readonly began: number
  readonly ended: number
}

export function noteObservation(store: Store, at: number, sightings: readonly Sighting[]): void {
  write(store, () => {
    run(store.database, 'insert or ignore into observed values (?)', at)
    for (const { path, before, after, since, at: seen, changedAt, madeDirectories } of sightings)
      run(
        store.database,
        `insert into sighting (path, before, after, since, at, changed_at, directories)
         values (?, ?, ?, ?, ?, ?, ?)`,
        pathBytes(path),
        valueText(before),
        valueText(after),
        since,
        seen,
        changedAt,
        JSON.stringify(madeDirectories),
      )
  })
}

/** When the project was last looked at; null when it never was. */
export function lastObserved(store: Store): number | null {
  const at = one(store.database, 'select max(at) as at from observed')!['at']
  return at === null ? null : Number(at)
}

/** The look before the oldest difference whose author is not decided; null when all are. */
export function oldestSighting(store: Store): number | null {
  const at = one(store.database, 'select min(since) as at from sighting')!['at']
  return at === null ? null : Number(at)
}

export function observedTimes(store: Store): number[] {
  return all(store.database, 'select at from observed order by at').map((row) => Number(row['at']))
}

/** Takes all sightings out, oldest first: whoever takes them must turn them into links. */
export function takeSightings(store: Store): Sighting[] {
  return write(store, () => {
    const rows = all(store.database, 'select * from sighting order by id')
    if (rows.length > 0) run(store.database, 'delete from sighting')
    return rows.map((row) => ({
      path: readPathBytes(row['path']),
      before: readValueText(row['before']),
      after: readValueText(row['after']),
      since: Number(row['since']),
      at: Number(row['at']),
      changedAt: row['changed_at'] === null ? null : Number(row['changed_at']),
      madeDirectories: JSON.parse(String(row['directories'])) as ProjectPath[],
    }))
  })
}

export function putShellSteps(store: Store, steps: readonly ShellStep[]): void {
  write(store, () => {
    for (const { tool, session, turn, began, ended } of steps)
      run(
        store.database,
        'insert or replace into shell_step values (?, ?, ?, ?, ?)',
        tool,
        session,
        turn,
        began,
        ended,
      )
  })
}

export function shellStepsSince(store: Store, at: number): ShellStep[] {
  return all(store.database, 'select * from shell_step where ended >= ? order by began', at).map(
    (row) => ({
      tool: String(row['tool']),
      session: String(row['session']),
      turn: String(row['turn']) as TurnId,
      began: Number(row['began']),
      ended: Number(row['ended']),
    }),
  )
}
