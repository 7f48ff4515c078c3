import {
  allCells,
  allGitMoves,
  allMoves,
  doneOperations,
  ledgerSeq,
  type DoneOperation,
} from '#store'
import {
  isBeforeFirst,
  type Ledger,
  type LineTurn,
  type Operation,
  type OperationId,
  type TurnId,
} from '#timeline'
import {
  detailsOf,
  headAfterCheckout,
  isAsked,
  newestOperation,
  type Project,
} from '../project/index.ts'
import { branchAtPrompt, gitMovesByTurn, ingestedTurns } from '../witness/index.ts'
import type { ReadSession } from './read-session.ts'
import type { ResolvedCommand } from './request.ts'
import { newestMove } from './session-marks.ts'

/** Turns in the planner's terms. */
export function lineTurns(
  project: Project,
  { open, report }: ReadSession,
  ids: readonly TurnId[],
): LineTurn[] {
  const moves = allGitMoves(project.store)
  const heads = new Map<string, string>()
  const headAfter = (to: string): string => {
    const head = heads.get(to) ?? headAfterCheckout(project.path, to)
    heads.set(to, head)
    return head
  }
  const branches = new Map(
    open.conversation.turns.map(({ turn }) => {
      const branch = open.gitBranchOf(turn.id)
      const then = branchAtPrompt(moves, branch, Date.parse(turn.at ?? ''))
      return [turn.id, then === null || then === branch ? branch : headAfter(then)]
    }),
  )
  const git = gitMovesByTurn(project)
  const taken = ingestedTurns(project, report.id)
  return ids.map((id) => {
    // The branch at the turn's end: one of its commands may have checked out another.
    const to = git.get(id)?.findLast((move) => move.to !== undefined)?.to
    return {
      id,
      seq: taken[id]?.seq ?? Number.MAX_SAFE_INTEGER,
      gitBranch: to === undefined ? (branches.get(id) ?? null) : headAfter(to),
    }
  })
}

/** The ledger, with the newest operation to tell it apart from a later ledger. */
export interface ReadLedger extends Ledger {
  readonly newest: number
}

/** Everything recorded that a plan needs. */
export function readLedger(
  project: Project,
  session: ReadSession,
  { verb }: Pick<ResolvedCommand, 'verb'>,
): ReadLedger {
  const { store } = project
  const { tree, report } = session
  const line = lineTurns(project, session, tree.line)
  const { head } = tree
  return {
    line,
    head,
    beforeFirst: isBeforeFirst(newestMove(store, report.id), { line, head }),
    cells: allCells(store).map(({ cell }) => cell),
    latestMoves: allMoves(store),
    // Only an op undo needs them; reading all makes planning slow after years of use.
    operations: verb === 'op-undo' ? plannedFrom(doneOperations(store).filter(isAsked)) : [],
    seq: ledgerSeq(store),
    newest: newestOperation(store),
  }
}

/** Takes operations newest first, and returns them oldest first, as the planner expects. */
export function plannedFrom(done: readonly DoneOperation[]): Operation[] {
  return done
    .map((each) => ({ ...detailsOf(each).operation, id: String(each.id) as OperationId }))
    .toReversed()
}
