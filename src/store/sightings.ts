import type { DirectoryChange, ProjectPath, TurnId, Value } from '#timeline'
import { all, one, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes, readValueText, valueText } from './value-text.ts'
import { parseRecord } from './parse-record.ts'

/** A path that differed between two scans of the project. Its author is decided later. */
export interface Sighting {
  readonly path: ProjectPath
  readonly before: Value
  readonly after: Value
  /**
   * When the scan before began, in ms since 1970: this scan may be the first to see later changes.
   */
  readonly since: number
  /** When this scan began and ended. */
  readonly began: number
  readonly at: number
  readonly changedAt: number | null
  /** The birth time of the file now at this path, if known. */
  readonly bornAt?: number
  /** Set if a directory itself appeared or disappeared. */
  readonly directory?: DirectoryChange
}

/** When a step that may write unseen actually ran. */
export interface ShellStep {
  readonly tool: string
  readonly session: string
  /** Null until the agent has recorded the step's turn. */
  readonly turn: TurnId | null
  readonly began: number
  readonly ended: number
}

/** A scan of the whole project, with git's state as JSON. */
export interface Scan {
  readonly began: number
  readonly at: number
  readonly git: unknown
}

/** What git did between two scans; the JSON is opaque to the store. */
export interface NotedMove {
  readonly id: number
  readonly since: number
  readonly seen: number
  readonly at: number
  readonly move: unknown
}

export function noteGitMoves(store: Store, moves: readonly Omit<NotedMove, 'id'>[]): void {
  write(store, () => {
    for (const { since, seen, at, move } of moves)
      run(
        store.database,
        'insert into git_move (since, seen, at, move) values (?, ?, ?, ?)',
        since,
        seen,
        at,
        JSON.stringify(move),
      )
  })
}

/** Oldest first. */
export function allGitMoves(store: Store): NotedMove[] {
  return all(store.database, 'select * from git_move order by id').map((row) => ({
    id: Number(row['id']),
    since: Number(row['since']),
    seen: Number(row['seen']),
    at: Number(row['at']),
    move: parseRecord(row['move']),
  }))
}

export function noteScan(store: Store, scan: Scan, sightings: readonly Sighting[]): void {
  write(store, () => {
    run(
      store.database,
      'insert or ignore into observed (at, began, git) values (?, ?, ?)',
      scan.at,
      scan.began,
      scan.git === null ? null : JSON.stringify(scan.git),
    )
    noteSightings(store, sightings)
  })
}

export function noteSightings(store: Store, sightings: readonly Sighting[]): void {
  write(store, () => {
    for (const sighting of sightings)
      run(
        store.database,
        `insert into sighting
           (path, before, after, since, began, at, changed_at, born_at, directory)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        pathBytes(sighting.path),
        valueText(sighting.before),
        valueText(sighting.after),
        sighting.since,
        sighting.began,
        sighting.at,
        sighting.changedAt,
        sighting.bornAt ?? null,
        sighting.directory === undefined ? null : JSON.stringify(sighting.directory),
      )
  })
}

/** The last scan of the project; null if there is none. */
export function lastScan(store: Store): Scan | null {
  const row = one(store.database, 'select * from observed order by at desc limit 1')
  return row === undefined ? null : toScan(row)
}

export function allScans(store: Store): Scan[] {
  return all(store.database, 'select * from observed order by at').map(toScan)
}

function toScan(row: Row): Scan {
  const git = row['git'] ?? null
  return {
    at: Number(row['at']),
    began: Number(row['began']),
    git: git === null ? null : parseRecord(git),
  }
}

/** When the scan before the oldest undecided difference began; null if there is none. */
export function oldestSighting(store: Store): number | null {
  const at = one(store.database, 'select min(since) as at from sighting')!['at']
  return at === null ? null : Number(at)
}

/** The differences whose author is not decided yet, oldest first. */
export function allSightings(store: Store): Sighting[] {
  return all(store.database, 'select * from sighting order by id').map((row) => ({
    path: readPathBytes(row['path']),
    before: readValueText(row['before']),
    after: readValueText(row['after']),
    since: Number(row['since']),
    began: Number(row['began']),
    at: Number(row['at']),
    changedAt: row['changed_at'] === null ? null : Number(row['changed_at']),
    ...(row['born_at'] === null ? {} : { bornAt: Number(row['born_at']) }),
    ...(row['directory'] === null
      ? {}
      : { directory: parseRecord(row['directory']) as DirectoryChange }),
  }))
}

/** Removes all sightings. The caller must turn them into links in the same transaction. */
export function forgetSightings(store: Store): void {
  write(store, () => run(store.database, 'delete from sighting'))
}

/** A known step keeps its turn; its times are replaced. */
export function putShellSteps(store: Store, steps: readonly ShellStep[]): void {
  write(store, () => {
    for (const { tool, session, turn, began, ended } of steps)
      run(
        store.database,
        `insert into shell_step (tool, session, turn, began, ended) values (?, ?, ?, ?, ?)
         on conflict (tool) do update set turn = coalesce(excluded.turn, turn),
           began = excluded.began, ended = excluded.ended`,
        tool,
        session,
        turn,
        began,
        ended,
      )
  })
}

export function dropShellStep(store: Store, tool: string): void {
  write(store, () => run(store.database, 'delete from shell_step where tool = ?', tool))
}

/** Steps whose turn is not known yet. */
export function stepsWithoutTurn(store: Store): ShellStep[] {
  return all(store.database, 'select * from shell_step where turn is null').map(toStep)
}

export function shellStepsSince(store: Store, at: number): ShellStep[] {
  return all(store.database, 'select * from shell_step where ended >= ? order by began', at).map(
    toStep,
  )
}

export function hasShellStep(store: Store, tool: string): boolean {
  return one(store.database, 'select 1 from shell_step where tool = ?', tool) !== undefined
}

function toStep(row: Row): ShellStep {
  return {
    tool: String(row['tool']),
    session: String(row['session']),
    turn: row['turn'] as TurnId | null,
    began: Number(row['began']),
    ended: Number(row['ended']),
  }
}
