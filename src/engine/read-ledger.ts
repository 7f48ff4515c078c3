import { allCells, allMoves, ledgerSeq, listOperations } from '#store'
import {
  standsBeforeFirst,
  type Ledger,
  type LineTurn,
  type Operation,
  type OperationId,
  type TurnId,
  type TurnName,
} from '#timeline'
import { takenTurns } from './ingest.ts'
import type { Project } from './open-project.ts'
import type { ReadSession } from './read-session.ts'

/** What an operation of Retake keeps besides its paths; JSON in the store. */
export interface OperationDetails {
  /** The plan it carried out: applying that very plan again answers with this operation. */
  readonly request: string
  readonly operation: Omit<Operation, 'id'>
  readonly from: TurnName | null
  readonly to: TurnName | null
  readonly turns: readonly TurnId[]
  /** Turns were left behind, rather than come back to. */
  readonly back: boolean
  readonly messages: number
  readonly merged: readonly string[]
  readonly kept: readonly string[]
  readonly notCovered: readonly string[]
  readonly conversation: 'moved' | 'unchanged'
  /** The conversation was emptied, its first turn included. */
  readonly emptied: boolean
  readonly prompt: string | null
}

/** Everything recorded that a plan is made from. */
export function readLedger(project: Project, { tree, open, report }: ReadSession): Ledger {
  const { store } = project
  const branches = new Map(
    open.conversation.turns.map(({ turn, rows }) => [turn.id, rows[0]!.prompt?.gitBranch ?? null]),
  )
  const taken = takenTurns(project, report.id)
  const line: LineTurn[] = tree.line.map((id) => ({
    id,
    seq: taken[id]?.seq ?? Number.MAX_SAFE_INTEGER,
    gitBranch: branches.get(id) ?? null,
  }))
  const operations = listOperations(store)
    .filter(({ state }) => state === 'committed')
    .map(({ id, details }) => ({
      ...(details as OperationDetails).operation,
      id: String(id) as OperationId,
    }))
    .toReversed()
  return {
    line,
    head: tree.head,
    beforeFirst: standsBeforeFirst(report.id, { operations, line, head: tree.head }),
    cells: allCells(store).map(({ cell }) => cell),
    latestMoves: allMoves(store),
    operations,
    seq: ledgerSeq(store),
  }
}
