import type { OpenSession } from '#agents'
import { nameBytes } from '#disk'
import { Failure } from '#failure'
import { readLeftOut, type LeftOutWhy } from '#snapshots'
import { allCells, findProjectKey, lastScan } from '#store'
import {
  countLines,
  type Cell,
  type Coverage,
  type Contents,
  type EditedFile,
  type FileDiff,
  type FileReport,
  type GitReport,
  type Tree,
  type TurnId,
  type Value,
} from '#timeline'
import {
  coveredTurns,
  editPaths,
  editedBetween,
  gitMovesByTurn,
  ingest,
  isScannedOutside,
  leftAloneIn,
  leftOutIn,
  shownPath,
  unrecordedChanges,
} from '../witness/index.ts'
import {
  agreedTo,
  diffFile,
  openProject,
  projectContents,
  type PendingMove,
  type Project,
  type Reveal,
} from '../project/index.ts'
import { projectRoot, unwatchedTop, type Machine } from '../ground/index.ts'
import { findOpenMove } from './pending-move.ts'
import type { EditPaths } from './report-files.ts'

/** What Retake knows about a session's turns, beyond what the agent recorded. */
export interface ProjectFacts {
  readonly cells: ReadonlyMap<TurnId, readonly Cell[]>
  /** Turns whose file changes Retake saw completely. */
  readonly covered: ReadonlySet<TurnId>
  /** How much Retake knows about a turn's file changes. */
  readonly coverageOf: (turn: TurnId) => Coverage
  /** Where the conversation moves once the agent has left the session. */
  readonly pending: PendingMove | null
  /** Files that the last scan did not capture. */
  readonly notCaptured: readonly { readonly path: string; readonly why: LeftOutWhy }[]
  /** Whether Retake sees what commands do in an added directory. */
  readonly isScanned: (directory: string) => boolean
  readonly git: ReadonlyMap<TurnId, readonly GitReport[]>
  /** The paths of a turn's edits in the ledger. */
  editPaths(turn: TurnId): EditPaths
  /** Files that a turn's commands changed. */
  filesByShell(turn: TurnId): FileReport[]
  diffsByShell(turn: TurnId, how: Reveal): FileDiff[]
  /** Files that the user changed between a turn and the next one. */
  editedAfter(turn: TurnId): EditedFile[]
  editedDiffs(turn: TurnId, how: Reveal): FileDiff[]
}

const nothing: ProjectFacts = {
  cells: new Map(),
  covered: new Set(),
  coverageOf: () => 'recorded-edits',
  pending: null,
  git: new Map(),
  notCaptured: [],
  isScanned: () => false,
  editPaths: () => new Map(),
  filesByShell: () => [],
  diffsByShell: () => [],
  editedAfter: () => [],
  editedDiffs: () => [],
}

/**
 * Reads the project's store if it exists; reading must not create it. A store that cannot be read
 * must not hide the session: commands that change something report the problem.
 */
export function withKnown<T>(
  machine: Machine,
  { open, tree }: { readonly open: OpenSession; readonly tree: Tree },
  use: (known: ProjectFacts) => T,
  within: Project | null = null,
): T {
  let opened: Project | null = null
  let known = nothing
  try {
    if (within === null) opened = openKnownProject(machine, open.summary.project)
    const project = within ?? opened
    if (project !== null) known = readKnown(machine, project, open, tree)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'store-busy') machine.unsettled.add(open.file.id)
  }
  try {
    return use(known)
  } finally {
    opened?.[Symbol.dispose]()
  }
}

/** The project's store; null if it does not exist, as reading must not create it. */
export function openKnownProject(machine: Machine, start: string | null): Project | null {
  const { disk } = machine
  const { data } = machine.places
  const path = start === null ? null : projectRoot(machine, start)
  const stat = path === null ? null : disk.stat(nameBytes(path))
  if (path === null || stat?.kind !== 'directory') return null
  const key = findProjectKey(disk, data, { path, stat })
  if (disk.stat(nameBytes(`${data}/projects/${key}/store.db`)) === null) return null
  return openProject(machine, start)
}

function readKnown(
  machine: Machine,
  project: Project,
  session: OpenSession,
  tree: Tree,
): ProjectFacts {
  const { store } = project
  if (lastScan(store) !== null) ingest(machine, project, session)
  const contents = projectContents(store)
  const edited = editedBetween(project, tree)
  const covered = coveredTurns(store, session, tree)
  const seen = unwatchedTop(project.path) === null ? 'whole-tree' : 'start-directory'
  return {
    cells: Map.groupBy(
      allCells(store).map(({ cell }) => cell),
      ({ turn }) => turn,
    ),
    covered,
    coverageOf: (turn) => (covered.has(turn) ? seen : 'recorded-edits'),
    pending: findOpenMove(store, { open: session }),
    git: gitMovesByTurn(project),
    // Ignored directories and repositories are left out on purpose.
    notCaptured: [
      ...readLeftOut(store),
      ...agreedTo(project).flatMap((directory) => leftOutIn(store, directory)),
    ].filter(({ why }) => why !== 'ignored' && why !== 'repository'),
    isScanned: (directory) => isScannedOutside(project, directory),
    editPaths: (turn) => editPaths(store, turn),
    filesByShell: (turn) => [
      ...unrecordedChanges(project, turn).map(({ path, from, change, by, before, after }) => ({
        path,
        ...(from === undefined ? {} : { from }),
        change,
        ...linesOf(contents, before, after),
        by,
        notes: [],
      })),
      ...leftAloneIn(store, turn).map((each) => ({
        path: shownPath(each),
        change: CHANGES[each.change],
        added: 0,
        removed: 0,
        by: 'shell' as const,
        notes: ['left-alone' as const],
      })),
    ],
    diffsByShell: (turn, how) =>
      unrecordedChanges(project, turn)
        .filter(({ isDirectory }) => isDirectory !== true)
        .map((change) => diffFile(contents, change, how)),
    editedAfter: (turn) =>
      edited(turn).map(({ path, from, change }) => ({
        path,
        ...(from === undefined ? {} : { from }),
        change,
      })),
    editedDiffs: (turn, how) => edited(turn).map((change) => diffFile(contents, change, how)),
  }
}

const CHANGES = { made: 'created', changed: 'modified', gone: 'deleted' } as const

/** Unknown contents have no lines to count. */
function linesOf(
  contents: Contents,
  before: Value,
  after: Value,
): { added: number; removed: number } {
  if (before.kind === 'unknown' || after.kind === 'unknown') return { added: 0, removed: 0 }
  const { added, removed } = countLines(contents, before, after)
  return { added, removed }
}
