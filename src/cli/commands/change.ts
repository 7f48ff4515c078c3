import {
  applyOperation,
  countSessions,
  findTurn,
  nothingReceipt,
  openProject,
  planOperation,
  readSession,
  recoverProject,
  refuseAtStart,
  settleMoves,
  waitForCaller,
  type Asked,
  type AskedHow,
  type Inside,
  type Project,
  type ReadSession,
} from '#engine'
import { Failure } from '#failure'
import { planView, receiptView } from '#protocol'
import { includable, type Choice, type ProjectPath, type ReceiptReport } from '#timeline'
import { askYesNo } from '../ask.ts'
import { sessionName, type Context } from '../context.ts'
import { showProgress } from '../progress.ts'
import { pathInProject } from './history.ts'
import { questionFor } from '../text/left-text.ts'
import { planText } from '../text/plan-text.ts'
import { settledText } from '../text/pending-text.ts'
import { receiptText } from '../text/receipt-text.ts'
import { allVisible } from '../visible.ts'

/** Flags of every verb that changes something. */
export interface ChangeFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly only?: string
  readonly onConflict?: string
  /** `PATH=CHOICE`, for single files. */
  readonly choose?: readonly string[]
  readonly includeUnsure?: boolean
  readonly whole?: boolean
  readonly keepPrompt?: boolean
  readonly expectHead?: string
}

/**
 * Plans, shows, asks where somebody is there to answer, applies, and says what was done. Answers
 * with the receipt; null after a dry run, and when somebody said no.
 */
export async function change(
  context: Context,
  flags: ChangeFlags,
  ask: (session: ReadSession, project: Project) => Asked,
): Promise<ReceiptReport | null> {
  const { machine } = context
  const session = readSession(machine, context.wanted)
  using project = openProject(machine, session.report.project)
  await finishLeftovers(context, project, session.report.id)
  const wanted = { session: session.report.id, project: null }
  const how = readHow(context, project, flags, session)
  const planned = await planOperation(machine, project, wanted, ask(session, project), how)
  if (planned.kind === 'nothing-to-do')
    return answer(context, nothingReceipt(planned.session, planned))
  const several = countSessions(machine, session.report.project) > 1
  const inSession = several ? sessionName(allVisible(session.report)) : null
  const shown = (): string => planText(allVisible(planned.report), context.paint, inSession)
  if (flags.dryRun === true) {
    if (context.json) context.print(planView(planned.report))
    else context.write(shown())
    return null
  }
  const conflicts = planned.plan.conflicts.length > 0
  const touchesFiles = planned.report.files.some(({ verb }) => verb !== 'skip')
  const leavesUnsure = includable(planned.report.left).length > 0
  const isGrave =
    touchesFiles || leavesUnsure || /^(?:branch|session)-delete$/.test(planned.plan.verb)
  const asks = !conflicts && isGrave && context.interactive && flags.yes !== true
  if (!context.json && (asks || conflicts)) context.say(shown())
  using stop = stopOnInterrupt()
  if (asks && !(await askYesNo(questionFor(planned.report.left), stop.signal))) {
    context.say('Nothing was changed.')
    return null
  }
  const agreed = asks ? { ...planned, how: { ...planned.how, confirmed: true } } : planned
  using progress = showProgress(context)
  const running = { signal: stop.signal, progress: progress.show }
  return answer(context, await applyOperation(machine, project, agreed, running), inSession)
}

/** One turn of conversation, no question asked; at the first turn there is nothing to go back to. */
export async function back(context: Context, flags: ChangeFlags): Promise<ReceiptReport | null> {
  refuseAtStart(readSession(context.machine, context.wanted))
  return change(context, { ...flags, only: 'chat' }, () => ({ verb: 'undo', count: 1 }))
}

export interface RewindFlags {
  readonly before?: string
  readonly exact?: boolean
}

export function rewindTo(
  { tree }: ReadSession,
  turn: string | undefined,
  { before, exact }: RewindFlags,
): Asked {
  if ((turn === undefined) === (before === undefined))
    throw new Failure('usage', 'Name one turn: `rewind TURN`, or `rewind --before TURN`.')
  if (before !== undefined && exact !== true)
    return { verb: 'rewind', before: findTurn(tree, before) }
  const to =
    before === undefined
      ? turn === '0'
        ? null
        : findTurn(tree, turn!)
      : tree.turns.get(findTurn(tree, before))!.parent
  return exact === true ? { verb: 'exact', to } : { verb: 'rewind', to }
}

/** What was interrupted, and moves whose time has come, before anything new is planned. */
export async function finishLeftovers(
  context: Pick<Context, 'machine' | 'environment' | 'say'>,
  project: Project,
  session: string,
): Promise<void> {
  for (const { operation, how } of await recoverProject(context.machine, project))
    if (how !== 'tidied')
      context.say(
        `Operation ${operation.id} (${operation.verb}) had been interrupted; it is now ${how === 'finished' ? 'finished' : 'taken back'}.`,
      )
  for (const settled of await settleMoves(context.machine, project, { session }))
    context.say(allVisible(settledText(settled)))
  const { inside } = context.environment
  if (inside?.session === session) await waitForCaller(context.machine, session, INSIDE)
}

/** A command of the running turn asks: the shell, or somebody behind a `!`. */
const INSIDE: Inside = { kind: 'turn', call: null }

/** Ctrl-C stops and rolls back; a second one leaves at once. */
function stopOnInterrupt(): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Failure('interrupted', 'Stopped. Everything is as it was.'))
  }
  process.on('SIGINT', stop)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', stop),
  }
}

function answer(
  context: Context,
  receipt: ReceiptReport,
  inSession: string | null = null,
): ReceiptReport {
  if (context.json) context.print(receiptView(receipt))
  else context.write(receiptText(allVisible(receipt), context.paint, inSession))
  return receipt
}

const CHOICES = ['stop', 'keep-mine', 'put-back', 'mark']

function readHow(
  context: Context,
  project: Project,
  flags: ChangeFlags,
  session: ReadSession,
): AskedHow {
  const { only = null, onConflict = 'stop' } = flags
  if (only !== null && only !== 'files' && only !== 'chat')
    throw new Failure('usage', '`--only` takes `files` or `chat`.')
  if (!CHOICES.includes(onConflict))
    throw new Failure('usage', `\`--on-conflict\` takes one of ${CHOICES.join(', ')}.`)
  return {
    only,
    onConflict: onConflict as 'stop' | Choice,
    whole: flags.whole === true,
    keepPrompt: flags.keepPrompt === true,
    choices: readChoices(context, project, flags.choose ?? []),
    includeUnsure: flags.includeUnsure === true,
    confirmed: flags.yes === true,
    ...(context.environment.inside?.session === session.report.id ? { inside: INSIDE } : {}),
    expectHead: flags.expectHead === undefined ? null : findTurn(session.tree, flags.expectHead),
  }
}

function readChoices(
  context: Context,
  project: Project,
  given: readonly string[],
): Map<ProjectPath, Choice> {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=')
      const choice = text.slice(at + 1)
      if (at < 1 || choice === 'stop' || !CHOICES.includes(choice))
        throw new Failure('usage', '`--choose` takes PATH=keep-mine, PATH=put-back or PATH=mark.')
      return [pathInProject(context, project, text.slice(0, at)), choice as Choice]
    }),
  )
}
