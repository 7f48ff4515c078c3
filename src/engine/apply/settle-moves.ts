import { Failure } from '#failure'
import { applyPlan, recover, type Journal } from '#journal'
import {
  advanceLedger,
  allCells,
  ledgerSeq,
  type PlannedStep,
  putCells,
  sessionsWithFact,
  type Store,
  write,
} from '#store'
import { stayOut, type TurnName } from '#timeline'
import { empty, moveTo, turnName } from '../plan/index.ts'
import {
  dropPending,
  dropWritten,
  moveState,
  findOpenMove,
  liveProcesses,
  openKnownProject,
  pendingFact,
  putPending,
  putWritten,
  readPending,
  readSession,
  readWritten,
  turnsOf,
  type ReadSession,
} from '../session/index.ts'
import { findSessionFile, type Machine } from '../ground/index.ts'
import {
  DETAILS_VERSION,
  FOLLOW,
  type FollowDetails,
  type PendingMove,
  type Project,
} from '../project/index.ts'
import { unmarkPending } from '../hooks/index.ts'
import { withJournal } from './with-journal.ts'

/** How a pending move ended. */
export type SettledMove =
  /** The conversation was moved after the agent had left the session. */
  | { readonly kind: 'moved'; readonly session: string; readonly to: TurnName | null }
  /** A prompt was sent instead: the undone file changes stay undone (sem.C3). */
  | {
      readonly kind: 'void'
      readonly session: string
      readonly operation: number
      readonly files: readonly string[]
    }

export interface LeaveOptions {
  /** Also check whether this session's last move was overwritten since (sem.C4). */
  readonly session?: string
  /** A process that is leaving, although it may still be listed as running. */
  readonly left?: number
}

/**
 * Settles pending moves: done if the agent has left the session, void if the conversation
 * continued. The SessionEnd hook calls this. Every later command calls it too, as the hook never
 * runs if the agent is killed or the power fails.
 */
export async function settleMoves(
  machine: Machine,
  project: Project,
  leaving: LeaveOptions = {},
): Promise<SettledMove[]> {
  const { store } = project
  const ids = new Set(sessionsWithFact(store, pendingFact).map(({ session }) => session))
  if (leaving.session !== undefined) ids.add(leaving.session)
  const settled: SettledMove[] = []
  for (const id of ids) {
    const found = readMove(machine, store, id)
    if (found === null) {
      if (readPending(store, id) === null) unmarkPending(machine.disk, machine.places, id)
      continue
    }
    const { session, move, isPending } = found
    if (moveState(session, move) === 'open') {
      if (isLeft(machine, id, leaving)) settled.push(...(await follow(machine, project, id)))
    } else if (isPending)
      settled.push(...endPending(machine, store, found, moveState(session, move)))
    else if (moveState(session, move) === 'void') dropWritten(store, id)
    else putWritten(store, id, { ...move, end: session.open.identity.size })
  }
  return settled
}

/** Settles the moves of one session that is only read; it does not create a store. */
export async function settleSession(
  machine: Machine,
  { id, project: path }: { readonly id: string; readonly project: string | null },
): Promise<SettledMove[]> {
  let project: Project | null = null
  try {
    project = openKnownProject(machine, path)
    return project === null ? [] : await settleMoves(machine, project, { session: id })
  } catch (error) {
    // Reading continues; commands that change something report the problem.
    if (!(error instanceof Failure)) throw error
    return []
  } finally {
    project?.[Symbol.dispose]()
  }
}

/** The files whose changes the operation of a pending move took out. */
function filesPutBack(store: Store, session: ReadSession, move: PendingMove): string[] {
  const turns = new Set(turnsOf(session, move))
  const out = allCells(store).filter(({ cell }) => turns.has(cell.turn) && !cell.in)
  return [...new Set(out.map(({ cell }) => cell.path))].sort()
}

/** What to answer to a prompt that is being sent. */
export type PendingNews =
  /** Warn first that the prompt would void the move: the user may have wanted to go there. */
  | { readonly kind: 'ask'; readonly files: readonly string[]; readonly to: TurnName | null }
  /** The prompt goes through and voids the move. */
  | {
      readonly kind: 'void'
      readonly files: readonly string[]
      readonly turns: readonly TurnName[]
    }

/**
 * Only the transcript shows later whether the prompt voided the move, as another hook may still
 * block it. Only interactive users are asked: a program that drives the agent cannot choose.
 */
export function takePendingNews(
  machine: Machine,
  { store }: Project,
  id: string,
): PendingNews | null {
  if (readPending(store, id) === null) return null
  const session = readSession(machine, { session: id, project: null })
  const move = findOpenMove(store, session)
  if (move === null) return null
  const files = filesPutBack(store, session, move)
  if (move.asked !== true && liveProcesses(machine, id).some(({ interactive }) => interactive)) {
    putPending(store, id, { ...move, asked: true })
    return { kind: 'ask', files, to: turnName(session, move.target) }
  }
  putPending(store, id, { ...move, told: true })
  const turns = turnsOf(session, move).flatMap((turn) => turnName(session, turn) ?? [])
  return { kind: 'void', files, turns }
}

interface Found {
  readonly session: ReadSession
  readonly move: PendingMove
  readonly isPending: boolean
}

function readMove(machine: Machine, store: Store, id: string): Found | null {
  const pending = readPending(store, id)
  const move = pending ?? readWritten(store, id)
  if (move === null) return null
  // A session that is gone has no conversation to move.
  const file = findSessionFile(machine, id)
  if (file === null) {
    dropPending(store, id)
    return null
  }
  // Nothing was written since, so do not read a long transcript.
  if (pending === null && file.identity.size === move.end) return null
  const session = readSession(machine, { session: id, project: null })
  return { session, move, isPending: pending !== null }
}

function isLeft(machine: Machine, session: string, { left }: LeaveOptions): boolean {
  return liveProcesses(machine, session).every(({ pid }) => pid === left)
}

function endPending(
  machine: Machine,
  store: Store,
  { session, move }: Found,
  fate: 'void' | 'done' | 'open',
): SettledMove[] {
  const { id } = session.report
  const files = write(store, () => {
    // Another process may have settled and reported it meanwhile.
    if (readPending(store, id)?.operation !== move.operation) return null
    dropPending(store, id)
    if (fate !== 'void') return null
    const paths = filesPutBack(store, session, move)
    const cells = allCells(store).map(({ cell }) => cell)
    const seq = ledgerSeq(store) + 1
    const kept = stayOut(cells, new Set(turnsOf(session, move)), seq)
    putCells(
      store,
      kept.filter((cell, i) => cell !== cells[i]),
    )
    advanceLedger(store, seq)
    return paths
  })
  unmarkPending(machine.disk, machine.places, id)
  return files === null || move.told
    ? []
    : [{ kind: 'void', session: id, operation: move.operation, files }]
}

/** A leaving agent still writes some rows, and each can make one attempt stale. */
const ATTEMPTS = 5

/** Plans the move again on the transcript as the agent left it, and journals it like any other. */
async function follow(machine: Machine, project: Project, id: string): Promise<SettledMove[]> {
  return withJournal(machine, project, undefined, async (journal) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await recover(journal)
      const found = readMove(machine, project.store, id)
      if (found === null || moveState(found.session, found.move) !== 'open') return []
      const { session, move, isPending } = found
      const planned = planFollow(machine, session, move)
      if (planned === null) {
        if (isPending) return endPending(machine, project.store, found, 'void')
        dropWritten(project.store, id)
        return []
      }
      const size = session.open.identity.size
      if (!(await append(journal, id, { ...move, size }, planned))) continue
      unmarkPending(machine.disk, machine.places, id)
      return [{ kind: 'moved', session: id, to: turnName(session, move.target) }]
    }
    throw new Failure('plan-stale', 'The transcript just changed.', {
      hint: 'The move stays pending; the next command tries again.',
    })
  })
}

/** Null if the agent can no longer be moved there, as after a compaction. */
function planFollow(
  machine: Machine,
  session: ReadSession,
  { target, tip }: PendingMove,
): PlannedStep | null {
  try {
    const planned =
      target === null ? empty(machine, session) : moveTo(machine, session, { turn: target, tip })
    return planned.step
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** False if the agent wrote to the transcript since the move was planned. */
async function append(
  journal: Journal,
  session: string,
  move: PendingMove,
  conversation: PlannedStep,
): Promise<boolean> {
  const details: FollowDetails = { version: DETAILS_VERSION, follows: move }
  const outcome = await applyPlan(journal, {
    verb: FOLLOW,
    session,
    details,
    changes: [],
    conversation,
  })
  if (outcome.kind === 'done') return true
  if (outcome.kind === 'refused') return false
  if (outcome.because.code === 'conversation-changed') return false
  throw outcome.because
}
