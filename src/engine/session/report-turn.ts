import type { OpenSession, TurnReading } from '#agents'
import { numberOf, stateOf, type Tokens, type Tree, type TurnId, type TurnReport } from '#timeline'
import { filesStateOfTurn } from './files-state.ts'
import type { ProjectFacts } from './known-project.ts'
import { outlineTurn } from './outline-turn.ts'

/** What a turn did, by the agent's records. Pass `reading` to avoid reading the turn again. */
export function reportTurn(
  session: OpenSession,
  tree: Tree,
  id: TurnId,
  known: ProjectFacts,
  reading?: TurnReading,
): { report: TurnReport; tokens: Tokens } {
  const { messages, steps, files, commands, befores, tokens } = outlineTurn(session, id, reading)
  const state = stateOf(tree, id)
  const covered = known.covered.has(id)
  const report: TurnReport = {
    turn: tree.turns.get(id)!,
    number: numberOf(tree, id),
    state,
    branch: tree.branchOf.get(id)!.id,
    messages,
    steps,
    files: [...files, ...known.filesByShell(id)],
    filesState: filesStateOfTurn(known.cells.get(id), state, befores),
    coverage: known.coverageOf(id),
    commands: covered ? [] : [...commands],
    git: known.git.get(id) ?? [],
    children: (tree.children.get(id) ?? []).filter((child) => !tree.deleted.has(child)).length,
    checkpoints: tree.marks.checkpoints.filter(({ turn }) => turn === id).map(({ name }) => name),
    editedAfter: known.editedAfter(id),
  }
  return { report, tokens }
}
