import {
  countSessions,
  diffPlanFile,
  needsYes,
  nothingPlan,
  nothingReceipt,
  readSession,
  readSettings,
  rememberDirectory,
  type Inside,
  type Planned,
  type PlannedNothing,
  type PlannedOperation,
  type Project,
  type ReadSession,
  wordsOf,
  type SessionChange,
  openForChange,
} from '#engine'
import { resolve } from 'node:path'
import { Failure } from '#failure'
import { planView, receiptView, type Command, type ReceiptView } from '#protocol'
import { includable, type Choice, type ProjectPath, type ReceiptReport } from '#timeline'
import { askYesNo } from '../ask.ts'
import { sessionName, type Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { askChoices } from '../ask-choices.ts'
import { askDirectories } from '../ask-directories.ts'
import { CHOICES, findChosen, readChoices } from './chosen-paths.ts'
import { showProgress } from '../progress.ts'
import { diffText } from '../text/show-text.ts'
import { questionFor } from '../text/left-text.ts'
import { planText } from '../text/plan-text.ts'
import { settledText } from '../text/pending-text.ts'
import { receiptText } from '../text/receipt-text.ts'
import { allVisible } from '../visible.ts'

/** Flags of every verb that changes something. */
export interface ChangeFlags {
  readonly dryRun?: boolean
  readonly patch?: boolean
  readonly yes?: boolean
  readonly only?: string
  readonly onConflict?: string
  /** `PATH=CHOICE`, once per file. */
  readonly choose?: readonly string[]
  readonly includeUnsure?: boolean
  /** Directories outside the project in which edits may be undone too. */
  readonly agree?: readonly string[]
  readonly expectHead?: string
  readonly stop?: boolean
}

/**
 * Plans, shows the plan, asks if interactive, applies it and prints the receipt. Returns the
 * receipt; null after a dry run or if the user declined.
 */
export async function change(
  context: Context,
  flags: ChangeFlags,
  ask: (session: ReadSession, project: Project) => Command,
): Promise<ReceiptReport | null> {
  const { machine } = context
  const { report } = readSession(machine, context.wanted)
  using change = await openChange(context, report.id, flags)
  const { session, project } = change
  const command: Command = { ...ask(session, project), ...optionsOf(flags) }
  const agree = readAgreed(context, flags)
  const plan = (choices?: ReadonlyMap<ProjectPath, Choice>): Promise<Planned> =>
    change.plan(command, { agree, ...(choices === undefined ? {} : { choices }) })
  const choices = readChoices(flags.choose ?? [])
  using stop = stopOnInterrupt()
  const mayAsk = context.interactive && flags.yes !== true
  let free = await plan()
  if (flags.dryRun !== true && mayAsk && (await askDirectories(context, free, stop.signal)))
    free = await plan()
  const chosen =
    choices.length === 0 || free.kind !== 'planned'
      ? new Map<ProjectPath, Choice>()
      : findChosen(context, project, free, choices)
  const first = chosen.size === 0 ? free : await plan(chosen)
  if (first.kind === 'nothing-to-do') return answerNothing(context, first, flags)
  const several = countSessions(machine, session.report.project) > 1
  const inSession = several ? sessionName(allVisible(session.report)) : null
  const shown = (each: PlannedOperation): string =>
    [
      planText(allVisible(each.report), context.paint, inSession),
      ...(flags.patch === true ? patchOf(context, project, each) : []),
    ].join('\n')
  if (flags.dryRun === true) {
    if (context.json) context.print(planView(first.report))
    else context.page(shown(first))
    return null
  }
  const confirms = mayAsk && readSettings(machine).settings.confirm
  let planned = first
  if (first.plan.conflicts.length > 0 && mayAsk && !context.json) {
    context.say(shown(first))
    const more = await askChoices(context, project, first, stop.signal)
    if (more === null) return stopAsked(context)
    const decided = await plan(new Map([...chosen, ...more]))
    if (decided.kind === 'nothing-to-do') return answerNothing(context, decided, flags)
    planned = decided
  }
  const conflicts = planned.plan.conflicts.length > 0
  const touchesFiles = planned.report.files.some(({ verb }) => verb !== 'skip')
  const leavesUnsure = includable(planned.report.left).length > 0
  const isGrave =
    touchesFiles || leavesUnsure || /^(?:branch|session)-delete$/.test(planned.plan.verb)
  const mustAsk = mayAsk && planned.plan.asks.some((each) => needsYes(planned.plan, each))
  const asks = !conflicts && ((isGrave && confirms) || mustAsk)
  if (!context.json && (asks || conflicts)) context.say(shown(planned))
  if (asks && !(await askYesNo(questionFor(planned.report.left), stop.signal)))
    return stopAsked(context)
  const agreed = asks ? { ...planned, how: { ...planned.how, confirmed: true } } : planned
  using progress = showProgress(context)
  const running = { signal: stop.signal, progress: progress.show }
  const receipt = await change.apply(agreed, running)
  return answer(context, receipt, { inSession, planShown: asks })
}

function stopAsked(context: Context): null {
  context.say('Nothing was changed.')
  process.exitCode = exitCodes.interrupted
  return null
}

/** A dry run with `--json` prints a plan even if there is nothing to do. */
function answerNothing(
  context: Context,
  planned: PlannedNothing,
  { dryRun }: ChangeFlags,
): ReceiptReport | null {
  const receipt = nothingReceipt(planned.session, planned)
  if (dryRun !== true || !context.json) return answer(context, receipt)
  context.print(planView(nothingPlan(receipt)))
  return null
}

/** The diff of each file that the plan would change. */
function patchOf(context: Context, project: Project, planned: PlannedOperation): string[] {
  return planned.plan.files.flatMap(({ verb }, place) => {
    if (verb === 'skip' || verb === 'conflict') return []
    return diffText(
      allVisible(diffPlanFile(project, planned, place, { reveal: false })),
      context.paint,
    )
  })
}

/**
 * Opens a session for a change. Reports which interrupted operation was recovered and which pending
 * moves were settled first.
 */
export function openChange(
  { machine, environment, say }: Pick<Context, 'machine' | 'environment' | 'say'>,
  session: string,
  { stop = false, dryRun = false }: Pick<ChangeFlags, 'stop' | 'dryRun'> = {},
): Promise<SessionChange> {
  return openForChange(machine, session, {
    orGone: true,
    // A dry run must not end the agent's process.
    stop: stop && !dryRun,
    ...(environment.inside?.session === session ? { inside: INSIDE } : {}),
    onRecovered({ operation, how }) {
      if (how === 'tidied') return
      const ended = how === 'finished' ? 'finished' : 'rolled back'
      say(`Operation ${operation.id} (${operation.verb}) was interrupted. It is now ${ended}.`)
    },
    onSettled: (settled) => say(allVisible(settledText(settled))),
  })
}

/** Retake was started by a shell step of the running turn, or by `!` in the agent's prompt. */
const INSIDE: Inside = { kind: 'turn', call: null }

/** The first Ctrl-C rolls back; a second one exits at once. */
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
  { inSession = null, planShown = false }: { inSession?: string | null; planShown?: boolean } = {},
): ReceiptReport {
  const { warnings: _, ...unwarned } = receipt
  if (context.json) context.print(worded(receiptView(receipt), context))
  else
    context.write(
      receiptText(allVisible(planShown ? unwarned : receipt), context.paint, {
        words: wordsOf(context.machine, receipt.session),
        session: inSession,
      }),
    )
  return receipt
}

/** A script shows `nothing` as it is, so it says what to run as well. */
function worded(view: ReceiptView, { paint }: Context): ReceiptView {
  const { nothing, remedy } = view
  if (nothing === undefined || remedy === undefined) return view
  return { ...view, nothing: `${nothing} ${paint.say(remedy)}` }
}

/** Remembers the given directories, except in a dry run. */
function readAgreed({ machine }: Context, { agree = [], dryRun }: ChangeFlags): string[] {
  const directories = agree.map((path) => resolve(machine.places.cwd, path))
  if (dryRun !== true)
    for (const directory of directories) rememberDirectory(machine, directory, true)
  return directories
}

/** The flags that become options of the command. */
function optionsOf({ yes = false, onConflict = 'stop', ...flags }: ChangeFlags): object {
  if (!CHOICES.includes(onConflict))
    throw new Failure('usage', `\`--on-conflict\` takes one of ${CHOICES.join(', ')}.`)
  const { only, includeUnsure, expectHead } = flags
  if (only !== undefined && only !== 'files' && only !== 'chat')
    throw new Failure('usage', '`--only` takes `files` or `chat`.')
  const given = { only, onConflict, includeUnsure, expectHead, confirmed: yes }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
