import { foldingOf } from '#disk'
import { Failure, add, remedy, command } from '#failure'
import type { Command } from '#protocol'
import { getOperation } from '#store'
import {
  filesPath,
  filesPlace,
  findUndoable,
  makePlan,
  numberOf,
  readsOf,
  type Ledger,
  type LeftReport,
  type Operation,
  type OperationId,
  type Plan,
  type PlanOptions,
  type PlanRequest,
  type TurnId,
  type World,
} from '#timeline'
import { orInNewSession, tryVersion } from './agent-version.ts'
import {
  filesOutOf,
  findPosition,
  isAboutSession,
  isKnownEmpty,
  lineTurns,
  outlineAhead,
  outlineNow,
  outlineTurn,
  planSessions,
  readLedger,
  readSession,
  refuseTakenNames,
  turnsAhead,
  type ResolvedCommand,
  type CommandOptions,
  type ConversationPlan,
  type ReadSession,
  type SessionQuery,
} from '../session/index.ts'
import { nameOtherTurns } from './changed-by.ts'
import { planConversation } from './conversation.ts'
import { copyFromGit, ingest, leftAloneBy, withGrownFiles } from '../witness/index.ts'
import { leftAttributes } from './left-attributes.ts'
import { leftInDoubt, leftNotCovered } from './left-of.ts'
import { MARK_LABELS, type Machine } from '../ground/index.ts'
import {
  projectContents,
  projectMissing,
  readGit,
  readNeighbours,
  readPresent,
  type GitState,
  type Project,
  type ProjectContents,
} from '../project/index.ts'
import { isMarking, planMarking } from './plan-marking.ts'
import { isSessionEdit, planSessionEdit } from './plan-session-edit.ts'
import { planRename, planTitle } from './rename-session.ts'
import { requestOf } from './request-of.ts'
import { resolve, type OnTurn, type Resolved } from './resolve.ts'
import { refusalOf } from './plan-words.ts'
import { newRequest, type Planned } from './planned.ts'
import {
  onOtherBranch,
  placeOn,
  reachesStart,
  warnOfFewer,
  withFirst,
  withWarnings,
} from './plan-reach.ts'
import { reportPlan, worldOf } from './report-plan.ts'
import { warnOfStorage } from './warn-of-storage.ts'

/** What a caller can add to the command. */
export interface More extends Partial<Pick<CommandOptions, 'agree' | 'choices' | 'inside'>> {
  readonly onTurn?: OnTurn
}

export async function planOperation(
  machine: Machine,
  project: Project,
  wanted: SessionQuery,
  command: Command,
  { onTurn, ...more }: More = {},
): Promise<Planned> {
  const { asked, how } = resolve(readSession(machine, wanted, project), command, onTurn)
  return planResolved(machine, project, wanted, { asked, how: { ...how, ...more } })
}

/**
 * Plans without touching the project or the conversation. It waits only to read long turns in
 * slices, and to test an agent version that was not measured.
 */
export async function planResolved(
  machine: Machine,
  project: Project,
  wanted: SessionQuery,
  { asked, how }: Resolved,
): Promise<Planned> {
  const read = (): ReadSession => readSession(machine, wanted, project)
  const plan = (session: ReadSession): Planned => planNow(machine, project, session, asked, how)
  let session = read()
  if (!outlineNow(session, turnsAhead(session, asked))) {
    await outlineAhead(machine, wanted, (each) => turnsAhead(each, asked))
    session = read()
  }
  const planned = plan(session)
  if (planned.kind !== 'planned' || !(await tryVersion(machine, planned))) return planned
  return plan(read())
}

function planNow(
  machine: Machine,
  project: Project,
  read: ReadSession,
  asked: ResolvedCommand,
  how: CommandOptions,
): Planned {
  if (isMarking(asked)) {
    checkHead(read, how)
    return planMarking(machine, project, read, { asked, how })
  }
  if (isSessionEdit(asked)) return planSessionEdit(machine, project, read, { asked, how })
  if (asked.verb === 'session-title') return planRename(machine, project, read, { asked, how })
  if (project.gone === true && how.only !== 'chat' && asked.verb !== 'op-undo')
    throw projectMissing(project.path)
  const standing = findPosition(machine, project, read, how.inside)
  const { session } = standing
  checkHead(session, how)
  if ((asked.verb === 'exact' || asked.verb === 'restore') && how.only === 'chat')
    throw new Failure('usage', 'A restore changes files, so it cannot move only the conversation.')
  const isEmpty = (turn: TurnId): boolean => isKnownEmpty(session.open, turn)
  if (project.gone !== true) ingest(machine, project, session.open, { ...how, isEmpty })
  const contents = projectContents(project.store)
  const recorded = readLedger(project, session, asked)
  const ledger = { ...recorded, cells: withGrownFiles(project, recorded.cells, contents) }
  const toUndo = operationToUndo(ledger, asked)
  if (toUndo !== null && toUndo.session !== session.report.id) {
    const other = readSession(machine, { session: toUndo.session, project: null }, project)
    return planNow(machine, project, other, asked, how)
  }
  if (toUndo !== null) refusePruned(project, toUndo)
  // Undoing the first turn with `whole` empties the conversation, even if no file changes.
  const emptiesAll = how.whole && reachesStart(session, asked)
  const request = requestOf(project, session, asked, { contents, ledger })
  const options: PlanOptions = {
    choices: how.choices,
    onConflict: how.onConflict,
    includeUnsure: how.includeUnsure,
    labels: MARK_LABELS,
    doesMore:
      how.keepPrompt === true ||
      emptiesAll ||
      asked.verb === 'branch' ||
      // A rewind starts from the files' place; the conversation may still have to move.
      (asked.verb === 'rewind' && how.only !== 'files') ||
      (toUndo !== null && isAboutSession(project, toUndo.id)),
  }
  const git = readGit(project.path)
  const seen = { ...seenBy(project, session, ledger, asked, how), gitBranch: git.branch }
  const world = readWorld(machine, project, seen, { request, options, contents })
  const made = makePlan(world, request, options)
  if (made.kind === 'nothing-to-do')
    return {
      ...made,
      session,
      left: [
        ...leftInDoubt(project, made.unsure),
        ...(made.why === 'at-start' && how.only !== 'chat' ? leftOfFirst(project, session) : []),
      ],
      filesBehind: how.only === null && filesPlace(ledger).head !== ledger.head,
      filesOutOf: made.why === 'at-tip' ? filesOutOf(project, session, ledger) : null,
    }
  const outcome = emptiesAll && made.kind === 'plan' ? withFirst(session, made) : made
  if (outcome.kind === 'refused')
    throw (
      onOtherBranch(session, asked) ??
      refusalOf(outcome, leftNotCovered(project, outcome.notCovered))
    )
  if (project.gone === true && outcome.files.length > 0) throw projectMissing(project.path)
  refuseTakenNames(session.tree, outcome.facts)
  refuseUnfinishedGit(git, outcome)
  refuseLeavingChat(outcome, how)
  const conversation =
    planTitle(machine, session, outcome.facts) ??
    planSessions(machine, project, session, { asked, how, plan: outcome }) ??
    orInNewSession(machine, session, {
      plan: outcome,
      how,
      conversation: planConversation(machine, standing, outcome, how),
    })
  const plan = asAsked(session, asked, outcome, conversation)
  if (conversation.kind === 'none' && changesNothing(plan))
    return {
      kind: 'nothing-to-do',
      verb: plan.verb,
      why: 'already-there',
      unsure: plan.unsure,
      session,
      left: leftInDoubt(project, plan.unsure),
    }
  return {
    kind: 'planned',
    request: newRequest(machine, project),
    asked,
    how,
    session,
    plan,
    back: isBack(session, conversation.kind === 'none' ? outcome : plan),
    conversation,
    contents,
    world: worldOf(standing, ledger, plan, asked),
    report: withWarnings(
      reportPlan(
        project,
        standing,
        ledger,
        nameOtherTurns(machine, project, session, plan, ledger.cells),
        conversation,
        asked,
        leftAttributes(machine, project, plan.files),
      ),
      [...warnOfFewer(session, asked, plan, how.only), ...warnOfStorage(machine, session.report)],
    ),
  }
}

/** The first turn stays, but what its commands did beyond recorded files is still listed (sem.A5). */
function leftOfFirst(project: Project, { tree, open }: ReadSession): LeftReport[] {
  const [id] = tree.line
  if (id === undefined || project.gone === true) return []
  const ranCommands = outlineTurn(open, id).commands.length > 0
  return leftAloneBy(project, [{ id, ranCommands, comesIn: false }], [])
}

/** Operations belong to the project: the newest may be another session's, and move its turns. */
function operationToUndo(ledger: Ledger, asked: ResolvedCommand): Operation | null {
  if (asked.verb !== 'op-undo') return null
  const { operation } = asked
  const id = operation === null ? undefined : (String(operation) as OperationId)
  const found = findUndoable(ledger, id)
  return found.kind === 'operation' ? found.operation : null
}

/** Contents that gc deleted are gone; an undo without them would be incomplete (sem.K2). */
function refusePruned({ store }: Project, operation: Operation): void {
  const { id, pruned } = getOperation(store, Number(operation.id))
  if (pruned === null) return
  const day = new Date(pruned).toISOString().slice(0, 10)
  throw new Failure(
    'no-longer-undoable',
    `Operation ${id} can no longer be undone: a clean-up deleted contents that it needs on ${day}.`,
    { hint: remedy`${command('where', ['PATH'])} to list the contents of a file that are left.` },
  )
}

/** The ledger for the planner: it starts at the files' place if the command moves from there. */
function seenBy(
  project: Project,
  session: ReadSession,
  ledger: Ledger,
  asked: ResolvedCommand,
  { only, includeUnsure }: CommandOptions,
): Ledger {
  if (only === 'chat') return withoutFiles(ledger)
  if (asked.verb === 'switch' || asked.verb === 'branch') {
    const path = filesPath(session.tree, ledger)
    if (path === null && asked.verb === 'branch') return ledger
    if (path === null) return { ...ledger, ...filesPlace(ledger, { includeUnsure }) }
    return { ...ledger, line: lineTurns(project, session, path), head: path.at(-1) ?? null }
  }
  const travels = asked.verb === 'undo' || asked.verb === 'redo'
  if (asked.verb === 'rewind' || (only === 'files' && travels))
    return { ...ledger, ...filesPlace(ledger, { includeUnsure }) }
  return ledger
}

/** During an unfinished merge or rebase, the files belong to git (sem.O5). */
function refuseUnfinishedGit({ unfinished }: GitState, { files }: Plan): void {
  if (unfinished === null || files.every(({ verb }) => verb === 'skip')) return
  throw new Failure('git-unfinished', `A git ${unfinished} is not finished in this project.`, {
    hint: remedy`Finish or abort it, or ${add('only', 'chat')} to move only the conversation.`,
  })
}

/** An operation moves files and conversation or neither, unless the user says so (sem.C2). */
function refuseLeavingChat({ asks }: Plan, { only }: CommandOptions): void {
  if (only === 'files' || !asks.some(({ code }) => code === 'conversation-stays')) return
  throw new Failure('conversation-went-on', 'The conversation continued after that operation.', {
    hint: remedy`${add('only', 'files')} to undo only its file changes.`,
  })
}

/** The plan as seen from the head, with the turns that only the conversation passes. */
function asAsked(
  { tree }: ReadSession,
  asked: ResolvedCommand,
  plan: Plan,
  { kind }: ConversationPlan,
): Plan {
  const from = { ...plan.from, turn: tree.head, tip: tree.line.at(-1) ?? null }
  if (asked.verb === 'branch') return { ...plan, verb: 'branch', from }
  if (plan.verb !== 'rewind' || kind === 'none') return { ...plan, from }
  const [here, there] = [placeOn(tree, from.turn), placeOn(tree, plan.to.turn)]
  const passed = tree.line.slice(Math.min(here, there) + 1, Math.max(here, there) + 1)
  return { ...plan, from, turns: [...new Set([...plan.turns, ...passed])] }
}

function isBack({ tree }: ReadSession, { verb, from, to }: Plan): boolean {
  if (verb === 'switch' || verb === 'branch') return false
  const [here, there] = [from, to].map((place) =>
    place.beforeFirst ? -1 : placeOn(tree, place.turn),
  )
  return there! < here!
}

/** An op undo counts even if the files are as it wants them: it marks the operation as undone. */
function changesNothing({ files, cells, inverts, from, to }: Plan): boolean {
  const asItIs = cells.length === 0 && files.every(({ why }) => why === 'already-so')
  // Another tip is a change too: redo follows it.
  return asItIs && inverts === null && (from.turn !== to.turn || from.tip === to.tip)
}

function checkHead({ tree }: ReadSession, { expectHead }: CommandOptions): void {
  if (expectHead === null || tree.head === expectHead) return
  const [expected, now] = [expectHead, tree.head].map((id) =>
    id === null ? 'before the first turn' : `at turn ${numberOf(tree, id) ?? id}`,
  )
  throw new Failure('head-moved', `The session is ${now}, not ${expected}.`, {
    hint: 'Read the session again, then retry.',
    details: { expected: expectHead, head: tree.head },
  })
}

/** Only the conversation moves: without cells, no file can move. */
function withoutFiles(ledger: Ledger): Ledger {
  return { ...ledger, cells: [], latestMoves: new Map(), beforeFirst: false }
}

export function readWorld(
  machine: Machine,
  project: Project,
  ledger: Ledger & Pick<World, 'gitBranch'>,
  {
    request,
    options,
    contents,
  }: { request: PlanRequest; options: PlanOptions; contents: ProjectContents },
): World {
  const { paths, contents: needed } = readsOf(ledger, request, options)
  // A store of an older version may refer to contents that only git has.
  copyFromGit(
    machine,
    project,
    needed.map((content) => ({ kind: 'file', content, mode: 0 })),
  )
  return {
    ...ledger,
    contents,
    now: new Map(paths.map((path) => [path, readPresent(project, path, contents)])),
    present: readNeighbours(project, paths),
    folding: foldingOf(project.root.disk, project.root),
  }
}
