import { command, Failure, remedy } from '#failure'
import { withoutContents } from './erase-values.ts'
import type { ContentId, ProjectPath, TurnId } from '#timeline'
import { dropContent, findContent, type KeptContent } from './content.ts'
import { all, run } from './database.ts'
import { recordedOperations, type DoneOperation } from './done-operations.ts'
import { referencedBy, type ReferencedBy, type Reference } from './references.ts'
import { markPruned, unfinishedOperations } from './operations.ts'
import { write, type Store } from './store.ts'
import { pathBytes } from './value-text.ts'
import { parseRecord } from './parse-record.ts'

/** What was, or in a dry run would be, permanently erased. */
export interface Erased {
  readonly contents: readonly KeptContent[]
  /** Operations that can no longer be undone. */
  readonly operations: readonly number[]
}

class DryRunDone extends Error {}

/** Erases, or with `dryRun` runs the same code and rolls it back. */
export function erase(store: Store, change: () => Erased, { dryRun }: { dryRun: boolean }): Erased {
  let erased: Erased | undefined
  try {
    write(store, () => {
      if (unfinishedOperations(store).length > 0)
        throw new Failure('operation-unfinished', 'An operation is not finished yet.', {
          hint: remedy`${command('status')}, then try again.`,
        })
      erased = change()
      if (dryRun) throw new DryRunDone()
    })
  } catch (error) {
    if (!(error instanceof DryRunDone)) throw error
  }
  return erased!
}

/**
 * Erases every record of what these turns did to files, and their text in operations.
 * `withoutWords` returns the details of an operation without that text, or null if it has none.
 */
export function eraseTurns(
  store: Store,
  turns: ReadonlySet<TurnId>,
  { now, withoutWords }: { now: number; withoutWords: (each: DoneOperation) => object | null },
): Erased {
  const { database } = store
  const isOfTurns = ({ by }: Reference): boolean =>
    (by.kind === 'cell' && turns.has(by.turn)) ||
    (by.kind === 'link' && turns.has(by.author.id as TurnId))
  const candidates = namesOf(store, isOfTurns)
  for (const turn of turns) {
    run(database, 'delete from cell where turn = ?', turn)
    run(database, "delete from link where author = ? and author_kind <> 'operation'", turn)
  }
  for (const row of all(database, 'select path, move from move')) {
    const { moved } = parseRecord(row['move']) as { moved: { cell: string }[] }
    const left = moved.filter(
      ({ cell }) => all(database, 'select 1 from cell where id = ?', cell).length > 0,
    )
    if (left.length === 0)
      run(database, 'delete from move where path = ?', row['path'] as Uint8Array)
  }
  for (const each of recordedOperations(store)) {
    const details = withoutWords(each)
    if (details === null) continue
    run(database, 'update operation set details = ? where id = ?', JSON.stringify(details), each.id)
  }
  return dropUnnamed(store, candidates, now, ({ by }) => operationOf(by) !== null)
}

/** Erases every content of one path. That and when it changed stays recorded. */
export function erasePath(store: Store, path: ProjectPath, now: number): Erased {
  const { database } = store
  const candidates = namesOf(store, (naming) => naming.path === path)
  const scrub = (text: unknown): string | null =>
    typeof text === 'string' ? withoutContents(text, candidates) : null
  const bytes = pathBytes(path)
  for (const row of all(database, 'select seq, before, after from link where path = ?', bytes))
    run(
      database,
      'update link set before = ?, after = ? where seq = ?',
      scrub(row['before']),
      scrub(row['after']),
      Number(row['seq']),
    )
  for (const row of all(database, 'select id, cell from cell where path = ?', bytes))
    run(database, 'update cell set cell = ? where id = ?', scrub(row['cell']), String(row['id']))
  run(database, 'delete from move where path = ?', bytes)
  // Keep that a turn changed it, so that undo can name what it leaves undone.
  for (const row of all(database, 'select id, before, after from sighting where path = ?', bytes))
    run(
      database,
      'update sighting set before = ?, after = ? where id = ?',
      scrub(row['before']),
      scrub(row['after']),
      Number(row['id']),
    )
  const operations = all(
    database,
    'select * from operation_path where path = ? order by operation',
    bytes,
  )
  for (const row of operations) {
    const late = row['late'] === null ? null : '[]'
    run(
      database,
      `update operation_path set pre = ?, post = ?, found = ?, late = ?
       where operation = ? and n = ?`,
      scrub(row['pre']),
      scrub(row['post']),
      scrub(row['found']),
      late,
      Number(row['operation']),
      Number(row['n']),
    )
  }
  const ids = [...new Set(operations.map((row) => Number(row['operation'])))]
  for (const id of ids) markPruned(store, id, now)
  const erased = dropUnnamed(
    store,
    candidates,
    now,
    ({ by, path: of }) => operationOf(by) !== null || (by.kind === 'snapshot' && of === path),
  )
  return {
    ...erased,
    operations: [...new Set([...ids, ...erased.operations])].sort((a, b) => a - b),
  }
}

function namesOf(store: Store, matches: (naming: Reference) => boolean): Set<ContentId> {
  return new Set(
    [...referencedBy(store)].flatMap(([id, namings]) => (namings.some(matches) ? [id] : [])),
  )
}

/** An operation names a content in its record, and in the links that it made. */
function operationOf(by: ReferencedBy): number | null {
  if (by.kind === 'operation') return by.id
  return by.kind === 'link' && by.author.kind === 'operation' ? Number(by.author.id) : null
}

/** Drops contents that nothing else needs, and marks operations that needed them. */
function dropUnnamed(
  store: Store,
  candidates: ReadonlySet<ContentId>,
  now: number,
  isDispensable: (naming: Reference) => boolean,
): Erased {
  const named = referencedBy(store)
  const contents: KeptContent[] = []
  const operations = new Set<number>()
  for (const id of candidates) {
    const namings = named.get(id) ?? []
    const kept = findContent(store, id)
    if (kept === null || !namings.every(isDispensable)) continue
    for (const { by } of namings) {
      const operation = operationOf(by)
      if (operation !== null) operations.add(operation)
    }
    dropContent(store, id)
    contents.push(kept)
  }
  for (const id of operations) markPruned(store, id, now)
  return { contents, operations: [...operations].sort((a, b) => a - b) }
}
