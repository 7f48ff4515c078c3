import { Failure, type FailureCode } from '#failure'
import { sameValue, type ProjectPath, type Value } from '#timeline'
import { all, one, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes, readValueText, valueText } from './value-text.ts'
import { parseRecord } from './parse-record.ts'
import type { RecordedStep } from './conversation-step.ts'

/** The progress of an operation; the journal documents what each state guarantees. */
export type OperationState =
  | 'intent'
  | 'staged'
  | 'applied'
  | 'committed'
  | 'rolling-back'
  | 'rolled-back'

export interface OperationPath {
  readonly path: ProjectPath
  /** The value before, and the value that the operation writes. */
  readonly pre: Value
  readonly post: Value
  readonly choice: string | null
  /** The directory that holds its staged files while the operation runs. */
  readonly anchor: string
  readonly outcome: 'planned' | 'applied' | 'conflict'
  /** On a conflict: the value that another program wrote, which was kept. */
  readonly found: Value | null
  /** What programs saved into the old file after it was moved aside, as stored. */
  readonly late: readonly Value[]
}

/** One recorded act of Retake. */
export interface Operation {
  readonly id: number
  readonly tag: string
  readonly verb: string
  readonly session: string | null
  readonly inverts: number | null
  /** The caller's JSON: cells, head and branch before and after. */
  readonly details: unknown
  readonly at: number
  readonly state: OperationState
  /** Whether no temporary file of it is left. */
  readonly tidy: boolean
  /** Why it was rolled back. */
  readonly because: { readonly code: FailureCode; readonly message: string } | null
  readonly steps: unknown
  /** The change to the conversation. */
  readonly conversation: RecordedStep | null
  /** When gc deleted contents that it needs, in ms. From then on it cannot be undone. */
  readonly pruned: number | null
  readonly paths: readonly OperationPath[]
}

export type NewOperation = Omit<
  Operation,
  'id' | 'state' | 'tidy' | 'because' | 'pruned' | 'paths'
> & {
  readonly paths: readonly Omit<OperationPath, 'outcome' | 'found' | 'late'>[]
}

/** Records an operation before it runs. Durable when the surrounding `write` returns. */
export function insertOperation(store: Store, operation: NewOperation): number {
  return write(store, () => {
    const id = run(
      store.database,
      `insert into operation
         (tag, verb, session, inverts, details, at, state, steps, append, append_bytes)
       values (?, ?, ?, ?, ?, ?, 'intent', ?, ?, ?)`,
      operation.tag,
      operation.verb,
      operation.session,
      operation.inverts,
      JSON.stringify(operation.details ?? null),
      operation.at,
      JSON.stringify(operation.steps),
      operation.conversation === null ? null : stepText(operation.conversation),
      operation.conversation?.bytes ?? null,
    )
    for (const [n, path] of operation.paths.entries())
      run(
        store.database,
        `insert into operation_path (operation, n, path, pre, post, choice, anchor)
         values (?, ?, ?, ?, ?, ?, ?)`,
        id,
        n,
        pathBytes(path.path),
        valueText(path.pre),
        valueText(path.post),
        path.choice,
        pathBytes(path.anchor as ProjectPath),
      )
    return id
  })
}

/**
 * Keeps the first reason for a rollback: a recovery that continues it knows only that it was
 * interrupted.
 */
export function setOperationState(
  store: Store,
  id: number,
  change: { state: OperationState; tidy?: boolean; because?: Operation['because'] },
): void {
  write(store, () =>
    run(
      store.database,
      'update operation set state = ?, tidy = ?, because = coalesce(?, because) where id = ?',
      change.state,
      change.tidy === true ? 1 : 0,
      change.because === undefined || change.because === null
        ? null
        : JSON.stringify(change.because),
      id,
    ),
  )
}

/** Marks that its contents were deleted: it stays listed but can never be undone. */
export function markPruned(store: Store, id: number, at: number): void {
  write(store, () => run(store.database, 'update operation set pruned = ? where id = ?', at, id))
}

/**
 * Records that every path was applied, except those with a conflict. Records the value found there,
 * not only reports it, because users ask for it later.
 */
export function setOutcomes(store: Store, id: number, conflicts: ReadonlyMap<number, Value>): void {
  write(store, () => {
    run(
      store.database,
      `update operation_path set outcome = 'applied', found = null where operation = ?`,
      id,
    )
    for (const [n, found] of conflicts)
      run(
        store.database,
        `update operation_path set outcome = 'conflict', found = ? where operation = ? and n = ?`,
        valueText(found),
        id,
        n,
      )
  })
}

/**
 * Records what was found in a file after it was moved aside, unless it is the expected value.
 * `where` lists it.
 */
export function notePathLate(store: Store, tag: string, n: number, late: Value): void {
  write(store, () => {
    const row = one(
      store.database,
      `select operation, pre, late from operation_path
       where n = ? and operation = (select id from operation where tag = ?)`,
      n,
      tag,
    )
    if (row === undefined) return
    const known = readLate(row['late']!)
    if ([readValueText(row['pre']), ...known].some((value) => sameValue(value, late))) return
    run(
      store.database,
      'update operation_path set late = ? where operation = ? and n = ?',
      JSON.stringify([...known, late].map(valueText)),
      row['operation'] as number,
      n,
    )
  })
}

function readLate(text: Row[string]): Value[] {
  return text === null ? [] : (parseRecord(text) as unknown[]).map(readValueText)
}

export function getOperation(store: Store, id: number): Operation {
  const row = one(store.database, 'select * from operation where id = ?', id)
  if (row === undefined) throw new Failure('operation-unknown', `There is no operation ${id}`)
  return toOperation(store, row)
}

/** Newest first, of one session if given. Loads all files of each; see also `doneOperations`. */
export function listOperations(store: Store, session?: string): Operation[] {
  const order = 'order by id desc'
  const rows =
    session === undefined
      ? all(store.database, `select * from operation ${order}`)
      : all(store.database, `select * from operation where session = ? ${order}`, session)
  return rows.map((row) => toOperation(store, row))
}

/** The state of each operation, without loading them. */
export function operationStates(store: Store): Map<number, OperationState> {
  return new Map(
    all(store.database, 'select id, state from operation').map((row) => [
      Number(row['id']),
      row['state'] as OperationState,
    ]),
  )
}

/** Every operation that touched or planned a path, newest first. */
export function operationsOfPath(store: Store, path: ProjectPath): Operation[] {
  return all(
    store.database,
    `select operation.* from operation join operation_path on operation.id = operation
     where path = ? order by operation.id desc`,
    pathBytes(path),
  ).map((row) => toOperation(store, row))
}

/** Oldest first. Normally empty; a crash leaves entries. */
export function unfinishedOperations(store: Store): Operation[] {
  return all(store.database, 'select * from operation where tidy = 0 order by id').map((row) =>
    toOperation(store, row),
  )
}

function toOperation(store: Store, row: Row): Operation {
  const id = Number(row['id'])
  const paths = all(
    store.database,
    'select * from operation_path where operation = ? order by n',
    id,
  )
  return {
    id,
    tag: String(row['tag']),
    verb: String(row['verb']),
    session: row['session'] as string | null,
    inverts: row['inverts'] as number | null,
    details: parseRecord(row['details']),
    at: Number(row['at']),
    state: row['state'] as OperationState,
    tidy: row['tidy'] === 1,
    because:
      row['because'] === null
        ? null
        : (parseRecord(row['because']) as { code: FailureCode; message: string }),
    steps: parseRecord(row['steps']),
    conversation: row['append'] === null ? null : readStep(row),
    pruned: row['pruned'] === null ? null : Number(row['pruned']),
    paths: paths.map((path) => ({
      path: readPathBytes(path['path']),
      pre: readValueText(path['pre']),
      post: readValueText(path['post']),
      choice: path['choice'] as string | null,
      anchor: readPathBytes(path['anchor']),
      outcome: path['outcome'] as OperationPath['outcome'],
      found: path['found'] === null ? null : readValueText(path['found']),
      late: readLate(path['late']!),
    })),
  }
}

function stepText({ agent, step, end }: RecordedStep): string {
  return JSON.stringify({ agent, step, end })
}

function readStep(row: Row): RecordedStep {
  const { agent, step, end } = parseRecord(row['append']) as Omit<RecordedStep, 'bytes'>
  const bytes = row['append_bytes'] as Uint8Array | null
  return { agent, step, end, bytes: bytes === null ? null : Buffer.from(bytes) }
}
