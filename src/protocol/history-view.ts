import type { FileDiff, HeldContent, OperationReport, ShownOperation } from '#timeline'
import { hunksOf, type HunksView } from './show-view.ts'
import { receiptView, type ReceiptView } from './plan-view.ts'

export interface OperationView {
  id: number
  verb: string
  session: string
  at: string
  state: OperationReport['state']
  because: string | null
  inverts: number | null
  prunedAt: string | null
  /** Why it cannot be undone now; null if it can. */
  stays: string | null
  turns: number
  /** Identifies it on the whole machine; its number is unique only in its project. */
  ref?: string
  receipt: ReceiptView
  files: {
    path: string
    pre: object
    post: object
    outcome: 'planned' | 'applied' | 'conflict'
    choice: string | null
  }[]
}

export interface OperationsView {
  schema: 'retake.op-log/1'
  operations: OperationView[]
}

export function operationsView(operations: readonly OperationReport[]): OperationsView {
  return { schema: 'retake.op-log/1', operations: operations.map(view) }
}

export interface OperationShowView {
  schema: 'retake.op-show/1'
  operation: OperationView
  /** What it did to its files. */
  did: HunksView[]
  /** From the state before it to now. */
  since: HunksView[]
}

export function operationView({ operation, did, since }: ShownOperation): OperationShowView {
  return {
    schema: 'retake.op-show/1',
    operation: view(operation),
    did: did.map(hunksOf),
    since: since.map(hunksOf),
  }
}

function view(operation: OperationReport): OperationView {
  return {
    ...operation,
    receipt: receiptView(operation.receipt),
    files: operation.files.map((file) => ({ ...file })),
  }
}

export interface DiffView {
  schema: 'retake.diff/1'
  session: string
  range: string
  files: HunksView[]
}

export function diffView(session: string, range: string, diffs: readonly FileDiff[]): DiffView {
  return { schema: 'retake.diff/1', session, range, files: diffs.map(hunksOf) }
}

export function whereView(
  path: string,
  contents: readonly HeldContent[],
): { schema: 'retake.where/1'; path: string; contents: HeldContent[] } {
  return { schema: 'retake.where/1', path, contents: [...contents] }
}

/** All damage found; nothing is damaged if all five lists are empty. */
export interface CheckView {
  schema: 'retake.check/1'
  directory: string
  checked: number
  database: readonly string[]
  records: readonly { table: string; about: string }[]
  contents: readonly {
    id: string
    problem: string
    paths: readonly string[]
    turns: readonly string[]
    operations: readonly number[]
  }[]
  transcripts: readonly { path: string; session: string; start: number; size: number }[]
  vault: readonly string[]
}

export function checkView(report: Omit<CheckView, 'schema'>): CheckView {
  return { schema: 'retake.check/1', ...report }
}
