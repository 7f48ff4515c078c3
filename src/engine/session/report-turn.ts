import type { OpenSession, TurnReading } from '#agents'
import {
  numberOf,
  stateOf,
  type FileReport,
  type Tokens,
  type Tree,
  type TurnId,
  type TurnReport,
} from '#timeline'
import { rootOfSession } from '../ground/index.ts'
import { filesStateOfTurn } from './files-state.ts'
import type { ProjectFacts } from './known-project.ts'
import { outlineTurn, type TurnOutline } from './outline-turn.ts'
import { reportFiles } from './report-files.ts'

/** What a turn did, by the agent's records. Pass `reading` to avoid reading the turn again. */
export function reportTurn(
  session: OpenSession,
  tree: Tree,
  id: TurnId,
  known: ProjectFacts,
  reading?: TurnReading,
): { report: TurnReport; tokens: Tokens } {
  const outline = outlineTurn(session, id, reading)
  const { messages, steps, commands, befores, tokens } = outline
  const state = stateOf(tree, id)
  const covered = known.covered.has(id)
  const report: TurnReport = {
    turn: tree.turns.get(id)!,
    number: numberOf(tree, id),
    state,
    branch: tree.branchOf.get(id)!.id,
    messages,
    steps,
    files: [
      ...editedFiles(session, id, outline, known).map((file) => (covered ? asScanned(file) : file)),
      ...known.filesByShell(id),
    ],
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

/** A scan has the bytes that the agent did not record (sem.A10), except of files outside. */
function asScanned(file: FileReport): FileReport {
  if (file.notes.includes('outside-project')) return file
  return { ...file, notes: file.notes.filter((note) => note !== 'line-endings-not-recorded') }
}

/** If a symlink changed since an edit, the outline has the path to which it leads now. */
function editedFiles(
  session: OpenSession,
  id: TurnId,
  { files, editPaths }: TurnOutline,
  known: ProjectFacts,
): readonly FileReport[] {
  if (editPaths.size === 0) return files
  const then = known.editPaths(id)
  const isSame = [...then].every(([evidence, path]) => (editPaths.get(evidence) ?? path) === path)
  return isSame ? files : reportFiles(session.readTurn(id).edits, rootOfSession(session), then)
}
