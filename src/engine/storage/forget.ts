import type { OpenSession } from '#agents'
import { command, Failure, remedy } from '#failure'
import { dropAside } from '#journal'
import {
  cellsOfTurn,
  compact,
  erase,
  erasePath,
  eraseTurns,
  findVault,
  redactKept,
  sweepLarge,
  takeWriter,
  vaultFiles,
  type Erased,
} from '#store'
import { markOf, turnsOnlyOf, type Branch, type ProjectPath, type TurnId, shortId } from '#timeline'
import { findBranch, labelOf, type ReadSession } from '../session/index.ts'
import { refuseLive } from '../plan/index.ts'
import { noteForgotten } from '../witness/index.ts'
import { listSessionFiles, type Machine } from '../ground/index.ts'
import { withoutPrompt, type Project } from '../project/index.ts'

export interface ForgetReport extends Erased {
  readonly session: string
  readonly branch: { readonly id: string; readonly label: string }
  readonly turns: number
  /** The agent's own file, which still has the text. */
  readonly transcript: string
}

/**
 * Erases Retake's copies of the turns that only this branch has: what they did to files, and their
 * rows in the copied transcript. Shared turns and the agent's own files stay.
 */
export async function forgetBranch(
  machine: Machine,
  project: Project,
  session: ReadSession,
  { branch: text, dryRun }: { branch: string; dryRun: boolean },
): Promise<ForgetReport> {
  const { tree, report, open } = session
  const branch = findAnyBranch(session, text)
  if (branch === tree.current)
    throw new Failure('branch-current', 'The session is on that branch.', {
      hint: remedy`${command('switch', ['BRANCH'])} first.`,
    })
  refuseLive(machine, session)
  const shared = turnsElsewhere(machine, session)
  const own = turnsOnlyOf(tree.turns, tree.branches, ({ id }) => id === branch.id)
  const turns = new Set([...own].filter((id) => !shared.has(id)))
  const { store } = project
  const inFiles = [...turns].filter((id) => cellsOfTurn(store, id).some(({ cell }) => cell.in))
  if (inFiles.length > 0)
    throw new Failure(
      'branch-in-use',
      `Changes of turn ${shortId(inFiles[0]!)} of that branch are in your files.`,
      { hint: remedy`${command('revert', [shortId(inFiles[0]!)])} first.` },
    )
  const now = machine.now().getTime()
  const erased = await eraseAll(project, dryRun, () => {
    const done = eraseTurns(store, turns, {
      now,
      withoutWords: (each) => withoutPrompt(each, turns),
    })
    noteForgotten(project, report.id, turns)
    return done
  })
  if (!dryRun) redactTranscripts(machine, open, turns)
  return {
    ...erased,
    session: report.id,
    branch: { id: branch.id, label: labelOf(tree, branch) },
    turns: turns.size,
    transcript: open.file.path,
  }
}

/** Erases every stored content of one path. The file itself and its changes in transcripts stay. */
export function purgePath(
  machine: Machine,
  project: Project,
  { path, dryRun }: { path: ProjectPath; dryRun: boolean },
): Promise<Erased> {
  const now = machine.now().getTime()
  return eraseAll(project, dryRun, () => erasePath(project.store, path, now))
}

async function eraseAll(
  { store }: Project,
  dryRun: boolean,
  change: () => Erased,
): Promise<Erased> {
  if (dryRun) return erase(store, change, { dryRun })
  await using writer = await takeWriter(store)
  const erased = erase(store, change, { dryRun: !writer.isHeld })
  sweepLarge(store)
  dropAside(store, new Set(erased.contents.map(({ id }) => id)))
  // Deleted bytes stay in the database file until it is compacted.
  compact(store)
  return erased
}

function findAnyBranch({ tree }: ReadSession, text: string): Branch {
  const deleted = tree.branches.filter(
    ({ id }) => markOf(tree.marks, id).deleted && text.length >= 4 && id.startsWith(text),
  )
  return deleted.length === 1 ? deleted[0]! : findBranch(tree, text)
}

/** Forks copy turns with their ids: a turn of another session is not only this branch's. */
function turnsElsewhere(machine: Machine, { report }: ReadSession): Set<string> {
  const project = report.project
  const files = listSessionFiles(machine, project === null ? undefined : [project])
  return new Set(
    machine.index
      .summaries(files.filter(({ id }) => id !== report.id))
      .flatMap(({ counted }) => counted?.turnIds ?? []),
  )
}

/** Blanks the rows of these turns, and the whole transcripts of their subagents. */
function redactTranscripts(
  { places, disk }: Machine,
  open: OpenSession,
  turns: ReadonlySet<TurnId>,
): void {
  using vault = findVault({ data: places.data, disk })
  if (vault === null) return
  const theirs = open.forgottenLines(turns)
  for (const file of vaultFiles(vault, open.file.id)) {
    if (file.role === 'transcript') redactKept(vault, file, (line) => theirs.isGone(line))
    else if (theirs.isOfThem(file.path)) redactKept(vault, file, () => true)
  }
  compact(vault)
}
