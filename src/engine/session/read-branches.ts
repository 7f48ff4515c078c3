import {
  depthOf,
  findRetries,
  firstApart,
  numberOf,
  type BranchDetails,
  type BranchesReport,
  type BranchName,
  type CheckpointReport,
  type Effect,
  type Tree,
  type TurnId,
  type TurnReport,
  type UndoState,
} from '#timeline'
import { crowdOf } from './branch-limit.ts'
import { branchRules, labelOf, reportBranches } from './branches.ts'
import type { SessionQuery } from './find-session.ts'
import type { Machine } from '../ground/index.ts'
import { readSession, withSession } from './read-session.ts'
import { reportTurn } from './report-turn.ts'

/** Every branch that is not deleted: the main one first, archived ones last. */
export function readBranches(machine: Machine, wanted: SessionQuery): BranchesReport {
  return withSession(machine, wanted, ({ report, open, tree }, known) => {
    const rules = branchRules(machine)
    const branches = reportBranches(tree, rules)
    const retries = findRetries(tree)
    const byId = new Map(tree.branches.map((branch) => [branch.id, branch]))
    return {
      session: report.id,
      title: report.title,
      branches: branches
        .map(({ turns, ...branch }): BranchDetails => ({
          ...branch,
          forkNumber: branch.fork === null ? null : numberOf(tree, branch.fork),
          turns: turns.length,
          length: depthOf(tree, branch.tip),
          prompt: tree.turns.get(turns[0]!)!.prompt,
          retry: retries.has(branch.id),
          promptApart: tree.turns.get(firstApart(tree, byId.get(branch.id)!))!.prompt,
          files: effectOf(turns.map((id) => reportTurn(open, tree, id, known).report)),
        }))
        .sort((a, b) => rank(a) - rank(b)),
      crowd: crowdOf(branches, rules),
    }
  })
}

function rank({ archived, canonical }: BranchDetails): number {
  return archived ? 2 : canonical ? 0 : 1
}

/** Adds up the lines turn by turn: a line changed twice counts twice. */
export function effectOf(turns: readonly TurnReport[]): Effect {
  const files = turns.flatMap((turn) => turn.files)
  return {
    files: new Set(files.map(({ path }) => path)).size,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  }
}

export function branchNameOf(tree: Tree, turn: TurnId): BranchName {
  const branch = tree.branchOf.get(turn)!
  return { id: branch.id, label: labelOf(tree, branch) }
}

export function readCheckpoints(machine: Machine, wanted: SessionQuery): CheckpointReport[] {
  const { tree } = readSession(machine, wanted)
  return tree.marks.checkpoints.map(({ name, turn, at }) => {
    const known = tree.turns.get(turn)
    return {
      name,
      turn: { id: turn, number: numberOf(tree, turn) },
      prompt: known?.prompt ?? null,
      branch: known === undefined ? null : branchNameOf(tree, turn),
      at,
    }
  })
}

/** The state of a session in one record, the same for every process (B3). */
export function readUndoState(machine: Machine, wanted: SessionQuery): UndoState {
  const { report, tree } = readSession(machine, wanted)
  const place = tree.head === null ? -1 : tree.places.get(tree.head)!
  return {
    session: report.id,
    head: tree.head,
    currentTurn: place + 1,
    totalTurns: tree.line.length,
    undone: tree.line.length - place - 1,
    activeBranch: tree.current && { id: tree.current.id, label: labelOf(tree, tree.current) },
    branches: reportBranches(tree, branchRules(machine)),
  }
}
