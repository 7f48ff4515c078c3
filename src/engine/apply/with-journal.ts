import { Failure } from '#failure'
import type { Journal } from '#journal'
import {
  advanceLedger,
  appendLinks,
  dropSessionFact,
  putCells,
  putMove,
  putSessionFact,
  takeWriter,
  write,
  type Operation,
  type RecordedStep,
  type StepRunner,
  type Store,
  type Writer,
} from '#store'
import { detailsOf, FOLLOW, followedBy, type Project } from '../project/index.ts'
import { agentOf, inWords, type Machine } from '../ground/index.ts'
import { dropPending, putPending, putWritten } from '../session/index.ts'

/** Runs `use` under the project's write lock. */
export async function withJournal<T>(
  machine: Machine,
  project: Project,
  signal: AbortSignal | undefined,
  use: (journal: Journal) => Promise<T>,
): Promise<T> {
  try {
    await using writer = await takeWriter(project.store, signal === undefined ? {} : { signal })
    return await use(openJournal(machine, project, writer))
  } catch (error) {
    if ((error as Error).name === 'AbortError')
      throw new Failure('interrupted', 'Stopped. Everything is as it was.', { cause: error })
    throw inWords(error)
  }
}

function openJournal(machine: Machine, { store, root }: Project, writer: Writer): Journal {
  return {
    store,
    root,
    writer,
    conversations: stepsOfAgents(machine),
    commit: (operation) => commitRecords(store, operation),
    now: () => machine.now().getTime(),
    newTag: () => machine.newId(),
    reserve: RESERVE,
  }
}

/** Passes each step to the agent that planned it. */
function stepsOfAgents(machine: Machine): StepRunner {
  const of = (step: RecordedStep): StepRunner => agentOf(machine, step).steps
  return {
    progress: (disk, step) => of(step).progress(disk, step),
    perform: (disk, step) => of(step).perform(disk, step),
    abandon: (disk, step) => of(step).abandon(disk, step),
    tidy: (disk, step) => of(step).tidy(disk, step),
  }
}

/** Bytes of disk space that an operation leaves free, so that Retake does not fill the disk. */
const RESERVE = 16 * 1024 * 1024

/**
 * Writes cells, moves and links in the transaction that commits the operation. If a path turned out
 * to be in conflict at the last moment, its content was kept, so its cells stay too.
 */
function commitRecords(store: Store, operation: Operation): void {
  if (operation.verb === FOLLOW) {
    const follows = followedBy(operation)
    const move = { ...follows, end: endOf(operation) }
    return write(store, () => putWritten(store, operation.session!, move))
  }
  const { operation: record } = detailsOf(operation)
  const lost = new Set(
    operation.paths.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path),
  )
  write(store, () => {
    putCells(
      store,
      record.cells.filter(({ after }) => !lost.has(after.path)).map(({ after }) => after),
    )
    for (const { path, after } of record.latestMoves)
      if (!lost.has(path)) putMove(store, path, after)
    for (const { session, name, after } of record.facts)
      if (after === null) dropSessionFact(store, session, name)
      else putSessionFact(store, session, name, after)
    noteMove(store, operation)
    advanceLedger(store, record.seq)
    appendLinks(
      store,
      operation.paths
        .filter(({ outcome }) => outcome === 'applied')
        .map(({ path, pre, post }) => ({
          path,
          from: null,
          before: pre,
          after: post,
          author: { kind: 'operation', id: String(operation.id) },
          evidence: `operation ${operation.id}`,
          gitHead: null,
          at: operation.at,
        })),
    )
  })
}

/** At most one pending move: a new one replaces it, and a written one ends it (sem.C3). */
function noteMove(store: Store, operation: Operation): void {
  const { id, session } = operation
  const { move, conversation } = detailsOf(operation)
  if (move === null || session === null) return
  if (move === 'withdraw') dropPending(store, session)
  else if (conversation === 'pending') putPending(store, session, { ...move, operation: id })
  else putWritten(store, session, { ...move, operation: id, end: endOf(operation) })
}

/** The length of the transcript with the appended rows. */
function endOf({ conversation }: Operation): number {
  return conversation?.end ?? 0
}
