import { createHash } from 'node:crypto'
import { Failure } from '#failure'
import {
  makePlan,
  numberOf,
  readsOf,
  type Ledger,
  type NothingToDo,
  type Plan,
  type PlanOptions,
  type PlanReport,
  type PlanRequest,
  type TurnId,
  type TurnName,
  type World,
} from '#timeline'
import {
  checkNotBusy,
  planConversation,
  wordsForVersion,
  type ConversationPlan,
} from './conversation.ts'
import { filesPlace } from './files-place.ts'
import type { Wanted } from './find-session.ts'
import { coveredTurns } from './coverage.ts'
import { ingest } from './ingest.ts'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'
import { projectContents, type ProjectContents } from './project-contents.ts'
import { readGit, type GitState } from './read-git.ts'
import { readLedger } from './read-ledger.ts'
import { readNeighbours, readPresent } from './read-present.ts'
import { readSession, type ReadSession } from './read-session.ts'
import { restoreTarget } from './restore-target.ts'
import type { Asked, AskedHow } from './request.ts'
import {
  lostLineEnds,
  refusalOf,
  unknownEffectsOf,
  wordsForAsk,
  wordsForNotCovered,
  wordsForWarning,
} from './plan-words.ts'

/** A plan with all it was made from: what `applyOperation` needs, and what people are shown. */
export interface PlannedOperation {
  readonly kind: 'planned'
  /** Tells this plan from an equal one that somebody else made at the same time. */
  readonly request: string
  readonly asked: Asked
  readonly how: AskedHow
  readonly session: ReadSession
  readonly plan: Plan
  /** Turns are left behind, rather than come back to. */
  readonly back: boolean
  readonly conversation: ConversationPlan
  readonly contents: ProjectContents
  readonly report: PlanReport
}

export type Planned = PlannedOperation | (NothingToDo & { readonly session: ReadSession })

/** Plans without touching the project or the conversation. */
export function planOperation(
  machine: Machine,
  project: Project,
  wanted: Wanted,
  asked: Asked,
  how: AskedHow,
): Planned {
  const session = readSession(machine, wanted)
  checkHead(session, how)
  checkNotBusy(machine, session)
  ingest(machine, project, session.open)
  const ledger = readLedger(project, session)
  const contents = projectContents(project.store)
  const request = requestOf(project, ledger, asked)
  const options: PlanOptions = {
    choices: how.choices,
    onConflict: how.onConflict,
    includeUnsure: how.includeUnsure,
    labels: { ours: 'yours', theirs: 'put back' },
  }
  const git = readGit(project.path)
  const seen = { ...seenBy(ledger, asked, how), gitBranch: git.branch }
  const outcome = makePlan(readWorld(project, seen, request, options, contents), request, options)
  if (outcome.kind === 'nothing-to-do') return { ...outcome, session }
  if (outcome.kind === 'refused') throw refusalOf(outcome)
  refuseUnfinishedGit(git, outcome)
  refuseLeavingChat(outcome, how)
  const conversation = planConversation(machine, session, outcome, how)
  const plan = asAsked(session, outcome, conversation)
  if (conversation.kind === 'none' && changesNothing(plan))
    return { kind: 'nothing-to-do', verb: plan.verb, why: 'already-there', unsure: [], session }
  return {
    kind: 'planned',
    request: machine.newId(),
    asked,
    how,
    session,
    plan,
    back: isBack(session, conversation.kind === 'none' ? outcome : plan),
    conversation,
    contents,
    report: reportPlan(project, session, ledger, plan, conversation, asked),
  }
}

/** What the planner takes for the place of the session: that of the files where they are meant. */
function seenBy(ledger: Ledger, asked: Asked, { only }: AskedHow): Ledger {
  if (only === 'chat') return withoutFiles(ledger)
  const travels = asked.verb === 'undo' || asked.verb === 'redo'
  if (asked.verb === 'rewind' || (only === 'files' && travels))
    return { ...ledger, ...filesPlace(ledger) }
  return ledger
}

/** Files that git is about to merge belong to that merge now (sem.O5). */
function refuseUnfinishedGit({ unfinished }: GitState, { files }: Plan): void {
  if (unfinished === null || files.every(({ verb }) => verb === 'skip')) return
  throw new Failure('git-unfinished', `A git ${unfinished} is not finished in this project.`, {
    hint: 'Finish or abort it, or move the conversation alone with `--only chat`.',
  })
}

/** An operation moves files and conversation or neither, unless somebody says so (sem.C2). */
function refuseLeavingChat({ asks }: Plan, { only }: AskedHow): void {
  if (only === 'files' || !asks.some(({ code }) => code === 'conversation-stays')) return
  throw new Failure('conversation-went-on', 'The conversation went on since that operation.', {
    hint: 'Its files can be taken back alone with `--only files`.',
  })
}

/** The plan from where the conversation stands, and with the turns that only it passes. */
function asAsked({ tree }: ReadSession, plan: Plan, { kind }: ConversationPlan): Plan {
  const from = { ...plan.from, turn: tree.head }
  if (plan.verb !== 'rewind' || kind === 'none') return { ...plan, from }
  const [here, there] = [placeOn(tree, from.turn), placeOn(tree, plan.to.turn)]
  const passed = tree.line.slice(Math.min(here, there) + 1, Math.max(here, there) + 1)
  return { ...plan, from, turns: [...new Set([...plan.turns, ...passed])] }
}

function isBack({ tree }: ReadSession, { from, to }: Plan): boolean {
  const [here, there] = [from, to].map((place) =>
    place.beforeFirst ? -1 : placeOn(tree, place.turn),
  )
  return there! < here!
}

function placeOn(tree: ReadSession['tree'], turn: TurnId | null): number {
  return turn === null ? -1 : (tree.places.get(turn) ?? -1)
}

/** An op undo counts also when the files are as it wants them: the operation is undone by it. */
function changesNothing({ files, cells, inverts }: Plan): boolean {
  return inverts === null && cells.length === 0 && files.every(({ why }) => why === 'already-so')
}

function checkHead({ tree }: ReadSession, { expectHead }: AskedHow): void {
  if (expectHead === null || tree.head === expectHead) return
  const [expected, now] = [expectHead, tree.head].map((id) =>
    id === null ? 'before the first turn' : `at turn ${numberOf(tree, id) ?? id}`,
  )
  throw new Failure('head-moved', `The session was expected ${expected}, it is ${now}.`, {
    hint: 'Look at it again, then decide.',
    details: { expected: expectHead, head: tree.head },
  })
}

function requestOf(project: Project, ledger: Ledger, asked: Asked): PlanRequest {
  switch (asked.verb) {
    case 'revert':
      return { verb: asked.off ? 'revert-off' : 'revert', turn: asked.turn }
    case 'restore':
      return { verb: 'restore', target: restoreTarget(project, ledger, asked) }
    case 'op-undo':
      return asked.operation === null
        ? { verb: 'op-undo' }
        : { verb: 'op-undo', operation: String(asked.operation) as never }
    case 'rewind':
      return asked.before === undefined
        ? { verb: 'rewind', to: asked.to }
        : { verb: 'rewind', before: asked.before }
    case 'undo':
    case 'redo':
      return asked
  }
}

/** The conversation alone moves: no cell is looked at, so none can move. */
function withoutFiles(ledger: Ledger): Ledger {
  return { ...ledger, cells: [], latestMoves: new Map(), beforeFirst: false }
}

function readWorld(
  project: Project,
  ledger: Ledger & Pick<World, 'gitBranch'>,
  request: PlanRequest,
  options: PlanOptions,
  contents: ProjectContents,
): World {
  const { paths } = readsOf(ledger, request, options)
  return {
    ...ledger,
    contents,
    now: new Map(paths.map((path) => [path, readPresent(project, path, contents)])),
    present: readNeighbours(project, paths),
  }
}

function reportPlan(
  project: Project,
  session: ReadSession,
  ledger: Ledger,
  plan: Plan,
  conversation: ConversationPlan,
  asked: Asked,
): PlanReport {
  const { tree, open, report } = session
  const moved = conversation.kind === 'none' ? [] : plan.turns
  const covered = coveredTurns(project.store, open, tree)
  const readings = plan.turns.map((id) => ({ id, reading: open.readTurn(id) }))
  const first = plan.turns
    .map((id) => tree.turns.get(id)!)
    .sort((a, b) => (tree.places.get(a.id) ?? 0) - (tree.places.get(b.id) ?? 0))[0]
  return {
    id: fingerprint(session, ledger, plan, conversation, asked),
    verb: plan.verb,
    session: report.id,
    from: turnName(session, plan.from.turn),
    to: conversation.kind === 'empty' ? null : turnName(session, plan.to.turn),
    target: first === undefined ? null : { prompt: first.prompt, at: first.at },
    turns: plan.turns.length,
    messages: readings
      .filter(({ id }) => moved.includes(id))
      .reduce((sum, { reading }) => sum + reading.messages, 0),
    conversation: conversation.kind === 'none' ? 'none' : 'move',
    files: plan.files,
    notCovered: [
      ...plan.notCovered.map(wordsForNotCovered),
      ...readings.flatMap(({ id, reading }) =>
        unknownEffectsOf(turnName(session, id)!, reading, {
          project: report.project,
          isCovered: covered.has(id),
        }),
      ),
    ],
    warnings: [
      ...wordsForVersion(session, conversation),
      ...plan.asks.flatMap((ask) => wordsForAsk(ask, session)),
      ...readings
        .filter(({ id }) => !covered.has(id))
        .flatMap(({ reading }) =>
          lostLineEnds(reading, { project: report.project, restored: restoredBy(plan) }),
        ),
      ...plan.warnings.map((warning) => wordsForWarning(warning, (id) => turnName(session, id))),
    ],
  }
}

function restoredBy({ files, verb }: Plan): Set<string> {
  const back = verb === 'redo' || verb === 'op-undo' ? [] : files
  return new Set(back.filter(({ post }) => post.kind === 'file').map(({ path }) => path))
}

export function turnName({ tree }: ReadSession, id: TurnId | null): TurnName | null {
  return id === null ? null : { id, number: numberOf(tree, id) }
}

/**
 * The plan and the world it was made against, in one name. Two plans have the same one only if
 * they would do the same to the same files, ledger and transcript.
 */
function fingerprint(
  { report, open }: ReadSession,
  ledger: Ledger,
  plan: Plan,
  conversation: ConversationPlan,
  asked: Asked,
): string {
  const { inode, size } = open.transcript.identity
  const parts = {
    session: report.id,
    asked,
    from: plan.from,
    to: plan.to,
    files: plan.files.map(({ path, verb, pre, post, chosen }) => ({
      path,
      verb,
      pre,
      post,
      chosen,
    })),
    conversation: conversation.kind,
    seq: ledger.seq,
    operations: ledger.operations.length,
    transcript: `${inode}:${size}`,
  }
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
