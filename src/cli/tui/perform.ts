import {
  compare,
  diffPlanFile,
  findProject,
  hasSession,
  isSupervised,
  listSessions,
  nothingReceipt,
  openProject,
  readBranches,
  readLog,
  readOperation,
  readOperations,
  readSession,
  readTurn,
  watchMachine,
  wordsOf,
} from '#engine'
import { Failure, wordRemedy } from '#failure'
import type { Command } from '#protocol'
import { shortId, type Progress, type ReceiptReport } from '#timeline'
import { openChange } from '../commands/change.ts'
import type { Context } from '../context.ts'
import { branchesText } from '../text/branches-text.ts'
import { compareText } from '../text/compare-text.ts'
import { operationsText, operationText } from '../text/history-text.ts'
import { makePaint, type Paint } from '../text/paint.ts'
import { receiptText, takesPrompts } from '../text/receipt-text.ts'
import { drawRun } from '../text/run-text.ts'
import { diffText, showText } from '../text/show-text.ts'
import { allVisible, visible } from '../visible.ts'
import type { Follow, Backend, ShownPlan } from './backend.ts'
import { MAX_MESSAGE_LINES, panesOf } from './draw/draw-screen.ts'
import { wrap } from './draw/fit.ts'
import { openBackends } from './backends.ts'
import { onScreen } from './key-words.ts'
import type { ServerBackend } from './server-backend.ts'
import type { Effect, TuiEvent } from './state.ts'

type Tell = (event: TuiEvent) => void

/** Carries out the reducer's effects. */
export interface Performer {
  perform(effect: Exclude<Effect, { do: 'quit' }>): Promise<void>
  /** Reloads the sessions and the log. */
  load(): void
  close(): Promise<void>
}

export function openPerformer(context: Context, tell: Tell): Performer {
  const { machine } = context
  const from = context.wanted.project ?? machine.places.cwd
  let home = from
  let session = startingSession(context)
  let shown: ShownPlan | null = null
  let stop: AbortController | null = null
  /** Prevents following a running turn twice; `runner` is the backend that runs it. */
  let isFollowing = false
  let runner: Backend | null = null

  const wanted = () => {
    if (session === null)
      throw new Failure('no-session', 'There is no session yet.', {
        hint: 'Press i to send a prompt.',
      })
    return { session, project: null }
  }
  const words = () => wordsOf(machine, session)
  const load = (): void => {
    const log =
      session === null || !hasSession(machine, session) ? null : readLog(machine, wanted())
    home = log?.session.project ?? findProject(machine, from) ?? from
    tell({
      type: 'loaded',
      sessions: allVisible(listSessions(machine, home)),
      log: allVisible(log),
    })
  }
  const talk = { ...context, say: (text: string) => tell({ type: 'message', text, tone: 'plain' }) }
  const paint = (): Paint => paneOf(context)
  const showReceiptText = (receipt: ReceiptReport): void => {
    const message = receiptText(allVisible(receipt), colourless(context), { words: words() })
    load()
    const prompt = takesPrompts(receipt) ? receipt.prompt : null
    tell({ type: 'done', text: withoutPrompt(message), prompt })
    showLongText(withoutPrompt(message))
  }
  /** Shows a message that is too long for the lines below as an overlay that scrolls. */
  const showLongText = (text: string): void => {
    if (wrap(text, columnsOf(context) - 1).length <= MAX_MESSAGE_LINES) return
    const [title = '', ...rest] = wrap(text, paint().width)
    tell({ type: 'shown', title, text: rest.join('\n') })
  }

  const act: {
    [Name in Exclude<Effect['do'], 'quit'>]: (effect: Extract<Effect, { do: Name }>) => unknown
  } = {
    open(effect) {
      session = effect.session
      load()
    },
    async plan({ command, choices }) {
      tell({ type: 'busy', what: 'Planning …' })
      const { id } = readSession(machine, wanted()).report
      using change = await openChange(talk, id)
      const plan = await change.plan(command, { choices }).catch((error: unknown) => {
        if (!canStopFor(error, command) || !isSupervised(machine, id)) throw error
        return null
      })
      if (plan === null) return tell({ type: 'at-work', command, agent: words().name })
      if (plan.kind === 'nothing-to-do') {
        const receipt = allVisible(nothingReceipt(plan.session, plan))
        const text = receiptText(receipt, colourless(context), { words: words() })
        tell({ type: 'message', text, tone: 'plain' })
        return showLongText(text)
      }
      // The server plans without choices and compares ids, so keep the id of the plan without them.
      const plainId = choices.size > 0 && shown !== null ? shown.plainId : plan.report.id
      shown = { command, planned: plan, plainId }
      tell({ type: 'planned', command, plan: plan.report })
    },
    'diff-file'({ place }) {
      if (shown === null) return
      const { planned } = shown
      using project = openProject(machine, planned.session.report.project)
      // Reveal secrets: the user opened this file in their own terminal.
      const diff = diffPlanFile(project, planned, place, { reveal: true })
      tell({ type: 'diffed', place, diff })
    },
    async apply() {
      if (shown === null) return
      const { command, planned, plainId } = shown
      const agreed = { ...planned, how: { ...planned.how, confirmed: true } }
      shown = null
      stop = new AbortController()
      const { signal } = stop
      const progress = (far: Progress): void => tell({ type: 'progressed', progress: far })
      using project = openProject(machine, agreed.session.report.project)
      const backend = await backends.find()
      const receipt = await backend
        .apply(project, { command, planned: agreed, plainId }, { signal, progress })
        .finally(() => (stop = null))
      showReceiptText(receipt)
    },
    async 'stop-and-apply'({ command }) {
      const { id } = readSession(machine, wanted()).report
      stop = new AbortController()
      const { signal } = stop
      const progress = (far: Progress): void => tell({ type: 'progressed', progress: far })
      try {
        using change = await openChange(talk, id, { stop: true })
        const plan = await change.plan(command)
        const receipt =
          plan.kind === 'nothing-to-do'
            ? nothingReceipt(plan.session, plan)
            : await change.apply(plan, { signal, progress })
        showReceiptText(receipt)
      } finally {
        stop = null
      }
    },
    'stop-applying'() {
      stop?.abort()
    },
    show({ turn, only }) {
      const report = allVisible(readTurn(machine, wanted(), turn, { reveal: false }))
      const diffs = report.diffs.flatMap((diff) => diffText(diff, paint()))
      const name = `Turn ${report.turn.number ?? shortId(report.turn.turn.id)}`
      if (only === 'all') {
        const text = showText(report, paint(), Date.now())
        return tell({ type: 'shown', title: name, text: text.split('\n').slice(1).join('\n') })
      }
      const text = diffs.length === 0 ? 'No edits recorded.' : diffs.join('\n').trimStart()
      tell({ type: 'shown', title: `${name}, files`, text })
    },
    compare({ ends }) {
      const report = compare(machine, wanted(), [...ends], { reveal: false })
      const lines = compareText(allVisible(report), paint()).split('\n')
      // That line names a shell command, which is no help in the TUI.
      const text = lines.filter((line) => !line.includes('`retake diff ')).join('\n')
      tell({ type: 'shown', title: 'Compare', text })
    },
    list({ what }) {
      tell({ type: 'listed', what, rows: what === 'branches' ? listBranches() : listOperations() })
    },
    'show-operation'({ operation }) {
      using project = openProject(machine, readSession(machine, wanted()).report.project)
      const text = operationText(allVisible(readOperation(project, operation)), paint(), Date.now())
      tell({ type: 'shown', title: `Operation ${operation}`, text })
    },
    async converse({ prompt }) {
      try {
        // A server does not know a project before its first session, so start that session here.
        runner = session === null ? backends.local : await backends.find()
        isFollowing = true
        session = await runner.converse({ session, project: from, prompt }, follow())
      } catch (error) {
        isFollowing = false
        // The prompt was not sent, so return it to the input line.
        tell({ type: 'done', text: '', prompt })
        throw error
      }
    },
    async answer({ approval, answer }) {
      tell({ type: 'answered' })
      await (runner ?? (await backends.find())).answer(approval, answer)
    },
    async stop() {
      if (session !== null) await (runner ?? (await backends.find())).stop(session)
    },
  }

  const follow = (): Follow => {
    const place = { paint: colourless(context), project: home }
    const draw = drawRun(place, (text) => tell({ type: 'streamed', text }))
    return {
      onEvent(event) {
        if (event.type === 'approval') tell({ type: 'asked', approval: event })
        else if (event.type === 'approval_answered') tell({ type: 'answered' })
        else draw(event)
      },
      onEnd(error) {
        isFollowing = false
        tell({ type: 'turn-ended' })
        if (error !== undefined) showFailureText(tell, error)
        quietly(tell, load)
      },
    }
  }
  const join = (backend: ServerBackend): void => {
    if (isFollowing || session === null) return
    isFollowing = true
    runner = backend
    const onStart = (prompt: string): void => tell({ type: 'joined', prompt })
    // The turn may end before the server gets this request.
    backend.rejoin(session, { ...follow(), onStart }).catch(() => (isFollowing = false))
  }

  const listBranches = () => {
    const report = readBranches(machine, wanted())
    const lines = branchesText(allVisible(report), paint(), Date.now()).split('\n')
    return report.branches.map(({ id }, i) => ({ id, text: lines[i] ?? '' }))
  }
  const listOperations = () => {
    using project = openProject(machine, readSession(machine, wanted()).report.project)
    const operations = readOperations(project)
    return allVisible(operations).map((operation) => ({
      id: String(operation.id),
      text: ` ${operationsText([operation], paint(), Date.now())}`,
    }))
  }

  const watch = watchMachine(machine, () => quietly(tell, load))
  const backends = openBackends(context, (event, backend) => {
    if (event.event === 'turn.started' && event.session === session) join(backend)
    else if (event.event !== 'operation.progress') quietly(tell, load)
  })
  return {
    async perform(effect) {
      try {
        await act[effect.do](effect as never)
      } catch (error) {
        if (effect.do === 'apply' || effect.do === 'stop-and-apply') tell({ type: 'not-done' })
        showFailureText(tell, error)
      }
    },
    load: () => quietly(tell, load),
    async close() {
      watch[Symbol.dispose]()
      await backends.close()
    },
  }
}

/** The named session, or the project's newest; null if there is none yet. */
function startingSession({ machine, wanted }: Context): string | null {
  const directory = wanted.project ?? machine.places.cwd
  if (wanted.session === null && findProject(machine, directory) === null) return null
  return readSession(machine, wanted).report.id
}

/** Reports a failure instead of throwing: another program may be writing the files right now. */
function quietly(tell: Tell, load: () => void): void {
  try {
    load()
  } catch (error) {
    showFailureText(tell, error)
  }
}

function showFailureText(tell: Tell, error: unknown): void {
  if (!(error instanceof Failure)) throw error
  const hint = error.hint === undefined ? '' : `\n${wordRemedy(error.hint, onScreen)}`
  tell({ type: 'message', text: visible(`${error.message}${hint}`), tone: 'bad' })
}

/** Whether a plan failed because the agent is working on a turn that the command would undo. */
function canStopFor(error: unknown, { verb }: Command): boolean {
  const undoes = verb === 'undo' || verb === 'back' || verb === 'rewind'
  return undoes && error instanceof Failure && error.code === 'session-busy'
}

/** Drops the undone prompt, which is already in the input line. */
function withoutPrompt(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('The undone prompt: '))
    .join('\n')
}

function colourless({ environment: { unicode, width } }: Context): Paint {
  return makePaint({ colour: false, unicode, width, wording: onScreen })
}

/** A paint with the width of an overlay. */
function paneOf(context: Context): Paint {
  const { environment } = context
  const { right } = panesOf(columnsOf(context), { isCovered: true })
  return makePaint({ ...environment, width: right - 2, wording: onScreen })
}

function columnsOf({ environment }: Context): number {
  return process.stdout.columns || environment.width
}
