import { isSpoolFull, type OpenSession, type PromptImage, spoolDirectory } from '#agents'
import { Failure } from '#failure'
import { LEFT_OUT_WORDS } from '#snapshots'
import {
  buildTree,
  filesStateOf,
  numberOf,
  stateOf,
  type Cell,
  type KnownOfTree,
  type LogReport,
  type ShowReport,
  type StatusReport,
  type Tree,
  type TurnId,
  type TurnName,
} from '#timeline'
import { findSession, type FoundSession, type SessionQuery } from './find-session.ts'
import { addedOutside, type Project, type Reveal } from '../project/index.ts'
import {
  agentOf,
  findLosses,
  type Machine,
  measureKept,
  type Page,
  projectRoot,
  rootOfSession,
  unwatchedTop,
} from '../ground/index.ts'
import { hooksInstalled, hookSourcesOf } from '../hooks/index.ts'
import { isSupervised } from '../supervise/index.ts'
import { whyNeverScanned } from '../witness/index.ts'
import { findTurn } from './find-turn.ts'
import { openKnownProject, withKnown, type ProjectFacts } from './known-project.ts'
import { branchRules, labelOf, reportBranches, shownBranches } from './branches.ts'
import { diffFiles } from './report-files.ts'
import { reportTurn } from './report-turn.ts'
import { knowsNothing, readKnownOfTree } from './session-marks.ts'

export interface ReadSession extends FoundSession {
  readonly tree: Tree
}

/** Pass `within` if the session's project is open: opening a store costs more than the reading. */
export function readSession(machine: Machine, wanted: SessionQuery, within?: Project): ReadSession {
  return readFound(machine, findSession(machine, wanted, within), within)
}

export function readFound(machine: Machine, found: FoundSession, within?: Project): ReadSession {
  return { ...found, tree: treeOf(found.open, knownOfTree(machine, found, within)) }
}

/** Reads a session and its store's records. Opens the store once, as that is the main cost. */
export function withSession<T>(
  machine: Machine,
  wanted: SessionQuery,
  use: (session: ReadSession, known: ProjectFacts) => T,
): T {
  const found = findSession(machine, wanted)
  using project = openToRead(machine, found)
  const session = readFound(machine, found, project ?? undefined)
  return withKnown(machine, session, (known) => use(session, known), project)
}

/** Also null if the store cannot be opened: the session is then shown without it. */
function openToRead(machine: Machine, { report }: FoundSession): Project | null {
  try {
    return openKnownProject(machine, report.project)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** The page requests a session turn by turn, and building a tree of 12,000 turns takes 10 ms. */
const trees = new WeakMap<OpenSession['conversation'], { known: string; tree: Tree }>()

function treeOf({ conversation, file }: OpenSession, known: KnownOfTree): Tree {
  const { tip, marks } = known
  const knownText = JSON.stringify([file.id, tip, [...marks.branches], marks.checkpoints])
  const built = trees.get(conversation)
  if (built?.known === knownText) return built.tree
  const turns = conversation.turns.map(({ turn }) => turn)
  const tree = buildTree(file.id, turns, conversation.head, known)
  trees.set(conversation, { known: knownText, tree })
  return tree
}

/** A store that cannot be read must not hide the session. */
function knownOfTree(
  machine: Machine,
  { report }: FoundSession,
  within: Project | undefined,
): KnownOfTree {
  try {
    if (report.project !== null && within?.path === projectRoot(machine, report.project))
      return readKnownOfTree(within.store, report.id)
    using project = openKnownProject(machine, report.project)
    return project === null ? knowsNothing : readKnownOfTree(project.store, report.id)
  } catch (error) {
    if (error instanceof Failure) return knowsNothing
    throw error
  }
}

export function cutPage(tree: Tree, { limit, before }: Page): { ids: TurnId[]; more: boolean } {
  const all = [...tree.turns.keys()].filter((id) => !tree.deleted.has(id))
  const end = before === null ? all.length : all.indexOf(before as TurnId)
  if (end === -1)
    throw new Failure('turn-not-found', `There is no turn ${before} in this session.`, {
      hint: 'Use an id from the list of turns.',
    })
  const start = limit === null ? 0 : Math.max(0, end - limit)
  return { ids: all.slice(start, end), more: start > 0 }
}

/** Every turn of the session, in the order in which they were written, on any branch. */
export function readLog(machine: Machine, wanted: SessionQuery): LogReport {
  return readLogPage(machine, wanted, { limit: null, before: null }).log
}

/** The newest turns, or those before one. Reads only these, so a long session costs no more. */
export function readLogPage(
  machine: Machine,
  wanted: SessionQuery,
  page: Page,
): { log: LogReport; head: TurnName | null; more: boolean } {
  return withSession(machine, wanted, ({ report, open, tree }, known) => {
    const { ids, more } = cutPage(tree, page)
    const log = {
      session: report,
      head: tree.head,
      turns: ids.map((id) => reportTurn(open, tree, id, known).report),
      branches: reportBranches(tree, branchRules(machine)),
      damage: open.damage,
    }
    const head = tree.head === null ? null : { id: tree.head, number: numberOf(tree, tree.head) }
    return { log, head, more }
  })
}

export function readTurn(
  machine: Machine,
  wanted: SessionQuery,
  turn: string,
  how: Reveal,
): ShowReport {
  return withSession(machine, wanted, ({ report, open, tree }, known) => {
    const id = findTurn(tree, turn)
    const reading = open.readTurn(id)
    const { moments, edits } = reading
    const { report: found } = reportTurn(open, tree, id, known, reading)
    const diffs = [
      ...diffFiles(edits, rootOfSession(open), how, known.editPaths(id)),
      ...known.diffsByShell(id, how),
    ]
    const editedDiffs = known.editedDiffs(id, how)
    const branchLabel = labelOf(tree, tree.branchOf.get(id)!)
    return { session: report, turn: found, branchLabel, moments, diffs, editedDiffs }
  })
}

/** The images of a turn's prompt, to show and to send again. */
export function readImages(
  machine: Machine,
  wanted: SessionQuery,
  turn: string,
): { session: string; turn: TurnId; images: readonly PromptImage[] } {
  const { report, open, tree } = readSession(machine, wanted)
  const id = findTurn(tree, turn)
  return { session: report.id, turn: id, images: open.readImages(id) }
}

export function readStatus(machine: Machine, wanted: SessionQuery): StatusReport {
  return withSession(machine, wanted, ({ report, open, tree }, known) => {
    const place = tree.head === null ? -1 : tree.places.get(tree.head)!
    const head = tree.head === null ? null : tree.turns.get(tree.head)!
    return {
      session: report,
      head: head && { id: head.id, number: place + 1, prompt: head.prompt },
      turns: tree.line.length,
      undone: tree.line.length - place - 1,
      bare: nameOf(tree, open.conversation.kept),
      branches: shownBranches(tree).length,
      branch: tree.current && { id: tree.current.id, label: labelOf(tree, tree.current) },
      hooks: hooksInstalled(agentOf(machine, open), report.project ?? machine.places.cwd),
      hookSources: hookSourcesOf(machine, report.project),
      notLookedAt:
        report.project === null
          ? null
          : whyNeverScanned(machine, projectRoot(machine, report.project)),
      unwatchedTop:
        report.project === null ? null : unwatchedTop(projectRoot(machine, report.project)),
      unwatchedDirectories:
        report.project === null
          ? []
          : addedOutside(open, projectRoot(machine, report.project)).filter(
              (directory) => !known.isScanned(directory),
            ),
      coverage: tree.head === null ? 'recorded-edits' : known.coverageOf(tree.head),
      coverageOfTurns: coverageOfTurns(tree.line.slice(0, place + 1), known),
      pending: known.pending && {
        to: nameOf(tree, known.pending.target),
        operation: known.pending.operation,
      },
      supervised: report.live !== null && isSupervised(machine, report.id),
      differing: findDiffering(tree, known.cells),
      notCaptured: {
        count: known.notCaptured.length,
        files: known.notCaptured
          .slice(0, MAX_NAMED)
          .map(({ path, why }) => ({ path, why: LEFT_OUT_WORDS[why] })),
      },
      eventsLost: isSpoolFull(spoolDirectory(machine.places.state)),
      losses: findLosses(machine, report.id),
      kept: measureKept(machine, report.project),
      damage: open.damage,
      model: tree.head === null ? null : open.readModel(tree.head),
    }
  })
}

/** Merges neighbouring turns with the same coverage into one range. */
function coverageOfTurns(
  line: readonly TurnId[],
  known: ProjectFacts,
): StatusReport['coverageOfTurns'] {
  const ranges: { from: number; to: number; coverage: StatusReport['coverage'] }[] = []
  for (const [n, id] of line.entries()) {
    const coverage = known.coverageOf(id)
    const last = ranges.at(-1)
    if (last?.coverage === coverage) last.to = n + 1
    else ranges.push({ from: n + 1, to: n + 1, coverage })
  }
  return ranges
}

/** Limits the list: in a tree of hard links, no file is captured. */
const MAX_NAMED = 100

function nameOf(tree: Tree, id: TurnId | null): TurnName | null {
  return id === null ? null : { id, number: numberOf(tree, id) }
}

/** Turns whose files and conversation disagree; either can move without the other (sem.C1). */
function findDiffering(
  tree: Tree,
  cells: ReadonlyMap<TurnId, readonly Cell[]>,
): StatusReport['differing'] {
  return tree.line.flatMap((id) => {
    const files = filesStateOf(cells.get(id) ?? [])
    const expected = stateOf(tree, id) === 'active' ? 'in' : 'out'
    if (files === 'none' || files === expected) return []
    return [{ id, number: numberOf(tree, id), files }]
  })
}
