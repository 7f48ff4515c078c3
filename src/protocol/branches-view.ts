import type {
  BranchDetails,
  BranchesReport,
  BranchReport,
  CheckpointReport,
  UndoState,
} from '#timeline'

export interface BranchesView {
  schema: 'retake.branches/1'
  session: string
  branches: BranchDetails[]
  /** The number of branches that are neither deleted nor archived, and the limit. */
  crowd: BranchesReport['crowd']
}

export function branchesView({ session, branches, crowd }: BranchesReport): BranchesView {
  return { schema: 'retake.branches/1', session, branches: [...branches], crowd }
}

export interface CheckpointsView {
  schema: 'retake.checkpoints/1'
  checkpoints: CheckpointReport[]
}

export function checkpointsView(checkpoints: readonly CheckpointReport[]): CheckpointsView {
  return { schema: 'retake.checkpoints/1', checkpoints: [...checkpoints] }
}

export interface UndoStateView extends Omit<UndoState, 'branches'> {
  schema: 'retake.undo-state/1'
  branches: (Omit<BranchReport, 'turns'> & { turns: number })[]
}

export function undoStateView({ branches, ...state }: UndoState): UndoStateView {
  return {
    schema: 'retake.undo-state/1',
    ...state,
    branches: branches.map(({ turns, ...branch }) => ({ ...branch, turns: turns.length })),
  }
}
