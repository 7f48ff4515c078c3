import { depthOf, numberOf, stateOf, type LeafReport, type TreeReport } from '#timeline'
import { branchRules, readSession, reportBranches, type SessionQuery } from '../session/index.ts'
import type { Machine } from '../ground/index.ts'

/** The branches and their turns, without reading what the turns did. */
export function readTree(machine: Machine, wanted: SessionQuery): TreeReport {
  const { report, tree } = readSession(machine, wanted)
  return {
    session: report,
    head: tree.head,
    branches: reportBranches(tree, branchRules(machine)),
    turns: [...tree.turns.values()]
      .filter(({ id }) => !tree.deleted.has(id))
      .map((turn) => ({
        turn,
        number: numberOf(tree, turn.id),
        state: stateOf(tree, turn.id),
        children: (tree.children.get(turn.id) ?? []).filter((id) => !tree.deleted.has(id)).length,
        checkpoints: tree.marks.checkpoints
          .filter((checkpoint) => checkpoint.turn === turn.id)
          .map(({ name }) => name),
      })),
  }
}

/** The tip of every branch that is not deleted. */
export function readLeaves(
  machine: Machine,
  wanted: SessionQuery,
): { session: string; leaves: LeafReport[] } {
  const { report, tree } = readSession(machine, wanted)
  const leaves = reportBranches(tree, branchRules(machine)).map((branch) => ({
    ...branch,
    prompt: tree.turns.get(branch.turns[0]!)!.prompt,
    length: depthOf(tree, branch.tip),
  }))
  return { session: report.id, leaves }
}
