import {
  allCells,
  allGitMoves,
  allMoves,
  doneOperations,
  ledgerSeq,
  type DoneOperation,
} from '#store'
import {
  standsBeforeFirst,
  type BranchName,
  type Continues,
  type Ledger,
  type LeftReport,
  type LineTurn,
  type Operation,
  type OperationId,
  type TurnId,
  type TurnName,
} from '#timeline'
import type { BranchSession } from './branch-session.ts'
import { branchAtPrompt, gitMovesByTurn } from './git-moves.ts'
import { takenTurns } from './ingest.ts'
import type { Project } from './open-project.ts'
import { isAsked, newestOperation } from './operation-record.ts'
import type { PendingMove } from './pending-move.ts'
import type { ReadSession } from './read-session.ts'
import type { Asked } from './request.ts'
import { newestMove } from './session-marks.ts'

/** What an operation of Retake keeps besides its paths; JSON in the store. */
export interface OperationDetails {
  /** The plan it carried out: applying that very plan again answers with this operation. */
  readonly request: string
  readonly operation: Omit<Operation, 'id' | 'facts'> & Partial<Pick<Operation, 'facts'>>
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly turns: readonly TurnId[]
  /** Turns were left behind, rather than come back to. */
  readonly back: boolean
  readonly messages: number
  readonly merged: readonly string[]
  readonly kept: readonly string[]
  /** Not in operations of older versions. */
  readonly left?: readonly LeftReport[]
  /** What its plan warned of. */
  readonly warnings?: readonly string[]
  /** Files that have conflict markers now, and the line of the first. */
  readonly marked?: readonly { readonly path: string; readonly line: number }[]
  readonly notCovered: readonly string[]
  readonly conversation: 'moved' | 'pending' | 'unchanged'
  /** What is noted about the conversation's place with it; null leaves that as it is. */
  readonly move: Omit<PendingMove, 'operation'> | 'withdraw' | null
  /** The conversation was emptied, its first turn included. */
  readonly emptied: boolean
  readonly prompt: string | null
  /** Turns taken out and in, where both happened. */
  readonly passed?: {
    readonly undone: number
    readonly redone: number
    readonly messages: number
  }
  /** The branches it is about, and the name it gave or took. */
  readonly branches?: readonly BranchName[]
  readonly name?: string | null
  /** The session that it made, or took away again. */
  readonly branch?: BranchSession & { readonly made: boolean }
  /** That session has the conversation, because this one could not be moved. */
  readonly continues?: Continues
}

/** Turns as a planner needs them. */
export function lineTurns(
  project: Project,
  { open, report }: ReadSession,
  ids: readonly TurnId[],
): LineTurn[] {
  const moves = allGitMoves(project.store)
  const branches = new Map(
    open.conversation.turns.map(({ turn, rows }) => {
      const told = rows[0]!.prompt?.gitBranch ?? null
      return [turn.id, branchAtPrompt(moves, told, Date.parse(turn.at ?? ''))]
    }),
  )
  const git = gitMovesByTurn(project)
  const taken = takenTurns(project, report.id)
  return ids.map((id) => ({
    id,
    seq: taken[id]?.seq ?? Number.MAX_SAFE_INTEGER,
    // The branch at the turn's end: a command of it may have checked out another.
    gitBranch: git.get(id)?.findLast(({ to }) => to !== undefined)?.to ?? branches.get(id) ?? null,
  }))
}

/** What is recorded, and the number of the newest operation: it tells this ledger from a later one. */
export interface ReadLedger extends Ledger {
  readonly newest: number
}

/** Everything recorded that a plan is made from. */
export function readLedger(
  project: Project,
  session: ReadSession,
  { verb }: Pick<Asked, 'verb'>,
): ReadLedger {
  const { store } = project
  const { tree, report } = session
  const line = lineTurns(project, session, tree.line)
  const { head } = tree
  return {
    line,
    head,
    beforeFirst: standsBeforeFirst(newestMove(store, report.id), { line, head }),
    cells: allCells(store).map(({ cell }) => cell),
    latestMoves: allMoves(store),
    // Reading all of them is what makes a plan dear after years of use.
    operations: verb === 'op-undo' ? plannedFrom(doneOperations(store).filter(isAsked)) : [],
    seq: ledgerSeq(store),
    newest: newestOperation(store),
  }
}

/** Operations that were done, newest first, as the planner knows them: oldest first. */
export function plannedFrom(done: readonly DoneOperation[]): Operation[] {
  return done
    .map(({ id, details }) => ({
      facts: [],
      ...(details as OperationDetails).operation,
      id: String(id) as OperationId,
    }))
    .toReversed()
}
