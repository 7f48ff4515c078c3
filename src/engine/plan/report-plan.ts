import { fingerprint } from '../ground/index.ts'
import { linksOfAuthor } from '#store'
import {
  numberOf,
  type LeftReport,
  pathTo,
  wordsForChangedBy,
  wordsForLeft,
  type Place,
  type Plan,
  type PlanReport,
  type TurnId,
  type TurnName,
  shortId,
} from '#timeline'
import { directoryToAgree, isAgreedPath, type Project } from '../project/index.ts'
import {
  findBranch,
  labelOf,
  outlineTurn,
  type ResolvedCommand,
  type ConversationPlan,
  type ReadLedger,
  type ReadSession,
  type SessionPosition,
} from '../session/index.ts'
import { movesHead } from './conversation.ts'
import {
  coveredTurns,
  isSavedToo,
  isWithJob,
  gitMovesByTurn,
  leftAloneBy,
  leftInAdded,
  leftModes,
  leftShared,
} from '../witness/index.ts'
import { leftInDoubt, leftNotCovered, leftOfOldProject } from './left-of.ts'
import {
  lostLineEnds,
  unknownEffectsOf,
  someOf,
  wordsForAsk,
  wordsForGit,
  wordsForWarning,
} from './plan-words.ts'
import { empties, turnName } from './planned.ts'

/** The plan as users and API clients get it. */
export function reportPlan(
  project: Project,
  standing: SessionPosition,
  ledger: ReadLedger,
  plan: Plan,
  conversation: ConversationPlan,
  asked: ResolvedCommand,
  attributes: readonly LeftReport[],
): PlanReport {
  const { session } = standing
  const { tree, open, report } = session
  const moved = movesHead(conversation) ? plan.turns : []
  const git = gitMovesByTurn(project)
  const covered = coveredTurns(project.store, open, tree)
  const outlines = plan.turns.map((id) => ({ id, outline: outlineTurn(open, id) }))
  const order = new Map([...tree.turns.keys()].map((id, place) => [id, place]))
  const isComing = comesIn(plan, tree)
  const isMoved = new Set(moved)
  const first =
    plan.verb === 'switch' || plan.verb === 'branch'
      ? tree.turns.get(plan.to.turn!)
      : plan.turns
          .map((id) => tree.turns.get(id)!)
          .sort((a, b) => (tree.places.get(a.id) ?? 0) - (tree.places.get(b.id) ?? 0))[0]
  const branch = asked.verb === 'switch' ? findBranch(tree, asked.branch) : null
  const isNamed = new Set<string>(plan.notCovered.map(({ path }) => path))
  // A directory that a Write made has no known mode; only cells of directories have one.
  const seen = new Set(plan.cells.flatMap(({ after }) => (after.directory ? [after.path] : [])))
  const isSeen = ({ path }: Plan['made'][number]): boolean => seen.has(path)
  const left = [
    ...leftInDoubt(project, plan.unsure),
    ...leftShared(project.store, plan.turns),
    ...leftRunning(standing),
    ...leftNotCovered(project, plan.notCovered),
    ...outlines.flatMap(({ id, outline }) =>
      unknownEffectsOf(turnName(session, id)!, outline, {
        project: project.path,
        isCovered: covered.has(id),
        comesIn: isComing(id),
        isAgreed: (path) => isAgreedPath(project, path) || isNamed.has(path),
        directoryToAgree: (path) => directoryToAgree(project, path),
      }),
    ),
    ...(outlines.some(({ id }) => !covered.has(id)) ? leftOfOldProject(project) : []),
    ...leftAloneBy(
      project,
      outlines
        .toSorted((a, b) => order.get(a.id)! - order.get(b.id)!)
        .map(({ id, outline }) => ({
          id,
          ranCommands: outline.commands.length > 0,
          comesIn: isComing(id),
        })),
      plan.emptied,
    ),
    ...leftModes(project.path, plan.made.filter(isSeen)),
    ...attributes,
    ...leftInAdded(
      project,
      open,
      outlines.flatMap(({ id, outline }) => (outline.commands.length > 0 ? [id] : [])),
    ),
  ]
  return {
    id: planId(standing, ledger, plan, conversation, asked),
    verb: plan.verb,
    session: report.id,
    from: turnName(session, plan.from.turn),
    to: empties(conversation) ? null : placeName(session, plan.to),
    ...(plan.to.beforeFirst && !empties(conversation) ? { beforeFirst: true } : {}),
    branches: [
      ...(branch === null ? [] : [{ id: branch.id, label: labelOf(tree, branch) }]),
      ...('branch' in conversation && conversation.because === undefined
        ? [{ id: conversation.branch.session, label: conversation.branch.title }]
        : []),
    ],
    name: null,
    target: first === undefined ? null : { prompt: first.prompt, at: first.at },
    turns: plan.turns.length,
    messages: outlines
      .filter(({ id }) => isMoved.has(id))
      .reduce((sum, { outline }) => sum + outline.messages, keptPrompt(conversation) ? -1 : 0),
    conversation: wordFor(conversation),
    ...(conversation.kind === 'pending' && conversation.reopens ? { reopens: true } : {}),
    ...continuesIn(conversation),
    files: plan.files,
    ...directoriesOf(plan),
    left,
    ...(plan.unsure.length === 0
      ? {}
      : { unsure: [...new Set(plan.unsure.map(({ path }) => path))] }),
    notCovered: left.filter(({ include }) => include === undefined).map(wordsForLeft),
    warnings: [
      ...wordsForKept(session, conversation),
      ...plan.turns.flatMap((id) =>
        (git.get(id) ?? []).map((move) => wordsForGit(turnName(session, id)!, move)),
      ),
      ...plan.asks.flatMap((ask) => wordsForAsk(ask, session)),
      ...outlines
        .filter(({ id }) => !covered.has(id))
        .flatMap(({ outline }) =>
          lostLineEnds(outline, { project: project.path, restored: restoredBy(plan) }),
        ),
      ...savedToo(project, plan),
      ...besideJobs(project, plan),
      ...plan.warnings.map((warning) =>
        wordsForWarning(
          warning,
          (id) => turnName(session, id),
          (path) => {
            const by = plan.files.find((file) => file.path === path)?.changedBy
            return by === undefined ? null : wordsForChangedBy(by, report.id)
          },
        ),
      ),
    ],
  }
}

/** Whether the plan brings a turn's changes back; otherwise they go. */
function comesIn(plan: Plan, { turns }: ReadSession['tree']): (turn: TurnId) => boolean {
  const moved = new Map<TurnId, boolean>()
  for (const { before, after } of plan.cells)
    if (before.in !== after.in && !moved.has(after.turn)) moved.set(after.turn, after.in)
  const { to, verb } = plan
  const goes = verb === 'revert' || to.turn === null || to.beforeFirst
  const stay = new Set(goes ? [] : pathTo(turns, to.turn))
  return (turn) => moved.get(turn) ?? stay.has(turn)
}

/** Only directories without a planned file in them. */
function directoriesOf({ files, made, emptied }: Plan): Pick<PlanReport, 'directories'> {
  const all = [
    ...made.map(({ path }) => ({ path, verb: 'create' as const })),
    ...emptied.map((path) => ({ path, verb: 'delete' as const })),
  ]
  const directories = all.filter(
    ({ path }) => !files.some((file) => file.path.startsWith(`${path}/`)),
  )
  return directories.length === 0 ? {} : { directories }
}

function wordFor({ kind }: ConversationPlan): PlanReport['conversation'] {
  if (kind === 'pending') return kind
  return kind === 'move' || kind === 'empty' ? 'move' : 'none'
}

function continuesIn(conversation: ConversationPlan): Pick<PlanReport, 'continues'> {
  if (!('branch' in conversation) || conversation.because === undefined) return {}
  const { branch, because } = conversation
  return { continues: { session: branch.session, title: branch.title, because } }
}

function keptPrompt(conversation: ConversationPlan): TurnId | null {
  return 'keeps' in conversation ? (conversation.keeps ?? null) : null
}

/** An agent that resumes at an unanswered prompt makes up an answer; Retake cannot prevent it. */
function wordsForKept(session: ReadSession, conversation: ConversationPlan): string[] {
  const name = turnName(session, keptPrompt(conversation))
  if (name === null) return []
  return [
    `the prompt of turn ${name.number ?? shortId(name.id)} stays; when the agent continues, ` +
      'it adds “No response requested.” after it',
  ]
}

/** A command that names a file owns its change, including an editor's save meanwhile (sem.A2). */
function savedToo(project: Project, plan: Plan): string[] {
  return goingPaths(project, plan, isSavedToo).map(
    (path) => `${path}: an editor saved it while the command ran; what you saved then goes too`,
  )
}

/** The command that ran then owns a change, even if an earlier one ran in the background. */
function besideJobs(project: Project, plan: Plan): string[] {
  const paths = goingPaths(project, plan, isWithJob).sort()
  if (paths.length === 0) return []
  return [
    `${someOf(paths)}: a command of an earlier turn may have run in the background; what it wrote goes too`,
  ]
}

/** Paths whose changes go with the plan, and for which a link of such a change says this. */
function goingPaths(
  { store }: Project,
  { cells }: Plan,
  says: (link: { readonly evidence: string }) => boolean,
): string[] {
  const gone = cells.flatMap(({ before, after }) => (before.in && !after.in ? [before] : []))
  const turns = [...new Set(gone.map(({ turn }) => turn))]
  const links = turns.flatMap((id) => linksOfAuthor(store, { kind: 'turn', id }).filter(says))
  const isGone = new Set(gone.map(({ path }) => path))
  return [...new Set(links.flatMap(({ path }) => (isGone.has(path) ? [path] : [])))]
}

/** Retake stops no process: a server that a turn started keeps writing after the undo. */
function leftRunning({ runsShell }: SessionPosition): LeftReport[] {
  if (!runsShell) return []
  const why =
    'a command of this session is still running in the background; Retake does not stop it'
  return [{ path: null, kind: 'not-covered', why }]
}

function restoredBy({ files, verb }: Plan): Set<string> {
  const back = verb === 'redo' || verb === 'op-undo' ? [] : files
  return new Set(back.filter(({ post }) => post.kind === 'file').map(({ path }) => path))
}

/** A turn with its number on the line that the session will be on. */
function placeName({ tree }: ReadSession, { turn, tip }: Place): TurnName | null {
  if (turn === null) return null
  const number = pathTo(tree.turns, tip).indexOf(turn) + 1
  return { id: turn, number: number || numberOf(tree, turn) }
}

/**
 * Identifies a plan and the state it was made against. Two plans have the same id only if they
 * would do the same to the same files, operations and transcript.
 */
function planId(
  standing: SessionPosition,
  ledger: ReadLedger,
  plan: Plan,
  conversation: ConversationPlan,
  asked: ResolvedCommand,
): string {
  return fingerprint({
    world: worldOf(standing, ledger, plan, asked),
    files: plan.files.map(({ path, verb, pre, post, chosen }) => ({
      path,
      verb,
      pre,
      post,
      chosen,
    })),
    conversation: conversation.kind,
    // Leaves out the ledger's newest number: every file that a dev server or another agent writes
    // raises it, and no plan would stay valid.
    conflicts: plan.conflicts,
    directories: [plan.made, plan.emptied],
    asks: plan.asks,
    unsure: plan.unsure.map(({ path }) => path),
  })
}

/** The files, operations and transcript that a plan was made against; choices do not change it. */
export function worldOf(
  { session: { report, open, tree }, live, head }: SessionPosition,
  ledger: ReadLedger,
  plan: Plan,
  asked: ResolvedCommand,
): string {
  const { inode, size } = open.identity
  return fingerprint({
    session: report.id,
    asked,
    from: plan.from,
    to: plan.to,
    files: plan.files.map(({ path, pre }) => ({ path, pre })),
    operation: ledger.newest,
    // A running agent keeps appending rows; only a new turn or head makes the plan stale.
    transcript: live.length > 0 ? `${inode}:${tree.turns.size}:${head}` : `${inode}:${size}`,
  })
}
