import {
  applyOperation,
  compare,
  diffPlanFile,
  findProject,
  hasSession,
  listSessions,
  nothingReceipt,
  openProject,
  openRuns,
  plainly,
  planOperation,
  readBranches,
  readLog,
  readOperation,
  readOperations,
  readSession,
  readTurn,
  refuseAtStart,
  watchMachine,
  type PlannedOperation,
  type Run,
  type Runs,
} from '#engine'
import { Failure } from '#failure'
import { finishLeftovers } from '../commands/change.ts'
import type { Context } from '../context.ts'
import { branchesText } from '../text/branches-text.ts'
import { compareText } from '../text/compare-text.ts'
import { operationsText, operationText } from '../text/history-text.ts'
import { makePaint, type Paint } from '../text/paint.ts'
import { receiptText } from '../text/receipt-text.ts'
import { drawRun } from '../text/run-text.ts'
import { diffText, showText } from '../text/show-text.ts'
import { allVisible, visible } from '../visible.ts'
import { askedOf, howOf } from './asked-of.ts'
import type { Effect, Happening } from './state.ts'

type Tell = (happening: Happening) => void

/** Everything that the screen can have done, against the engine in this process. */
export interface Performer {
  perform(effect: Exclude<Effect, { do: 'quit' }>): Promise<void>
  /** Reads again what is shown. */
  load(): void
  close(): Promise<void>
}

export function openPerformer(context: Context, tell: Tell): Performer {
  const { machine } = context
  const from = context.wanted.project ?? machine.places.cwd
  const runs = openRuns(machine, {
    environment: context.environment.agent,
    executable: null,
  })
  let session = startingSession(context)
  let planned: PlannedOperation | null = null

  const wanted = () => {
    if (session === null)
      throw new Failure('no-session', 'There is no session yet.', { hint: 'i says something.' })
    return { session, project: null }
  }
  const load = (): void => {
    const log =
      session === null || !hasSession(machine, session) ? null : readLog(machine, wanted())
    const project = log?.session.project ?? findProject(machine, from) ?? from
    tell({
      type: 'loaded',
      sessions: allVisible(listSessions(machine, project)),
      log: allVisible(log),
    })
  }
  const talk = { ...context, say: (text: string) => tell({ type: 'said', text, tone: 'plain' }) }
  const paint = (): Paint => paneOf(context)

  const act: {
    [Name in Exclude<Effect['do'], 'quit'>]: (effect: Extract<Effect, { do: Name }>) => unknown
  } = {
    open(effect) {
      session = effect.session
      load()
    },
    async plan({ request, choices }) {
      const read = readSession(machine, wanted())
      if (request.verb === 'back') refuseAtStart(read)
      using project = openProject(machine, read.report.project)
      await finishLeftovers(talk, project, read.report.id)
      const how = { ...plainly, ...howOf(request), choices }
      const plan = await planOperation(machine, project, wanted(), askedOf(read, request), how)
      if (plan.kind === 'nothing-to-do') {
        const { nothing } = nothingReceipt(plan.session, plan)
        return tell({ type: 'said', text: nothing ?? 'Nothing to do.', tone: 'plain' })
      }
      planned = plan
      tell({ type: 'planned', request, plan: plan.report })
    },
    'diff-file'({ place }) {
      if (planned === null) return
      using project = openProject(machine, planned.session.report.project)
      tell({ type: 'diffed', place, diff: diffPlanFile(project, planned, place) })
    },
    async apply() {
      if (planned === null) return
      const agreed = { ...planned, how: { ...planned.how, confirmed: true } }
      planned = null
      using project = openProject(machine, agreed.session.report.project)
      const receipt = await applyOperation(machine, project, agreed)
      const text = saidHere(receiptText(allVisible(receipt), colourless(context)))
      load()
      tell({ type: 'done', text, prompt: receipt.turnsUndone > 0 ? receipt.prompt : null })
    },
    show({ turn, only }) {
      const report = allVisible(readTurn(machine, wanted(), turn))
      const diffs = report.diffs.flatMap((diff) => diffText(diff, paint()))
      const name = `Turn ${report.turn.number ?? report.turn.turn.id.slice(0, 8)}`
      if (only === 'all') {
        const text = showText(report, paint(), Date.now())
        return tell({ type: 'shown', title: name, text: text.split('\n').slice(1).join('\n') })
      }
      const text = diffs.length === 0 ? 'No edits recorded.' : diffs.join('\n').trimStart()
      tell({ type: 'shown', title: `${name}, its files`, text })
    },
    compare({ ends }) {
      const report = compare(machine, wanted(), [...ends])
      tell({ type: 'shown', title: 'Compare', text: compareText(allVisible(report), paint()) })
    },
    list({ what }) {
      tell({ type: 'listed', what, rows: what === 'branches' ? listBranches() : listOperations() })
    },
    'show-operation'({ operation }) {
      using project = openProject(machine, readSession(machine, wanted()).report.project)
      const text = operationText(allVisible(readOperation(project, operation)), paint(), Date.now())
      tell({ type: 'shown', title: `Operation ${operation}`, text })
    },
    converse({ prompt }) {
      try {
        session = startTurn(context, runs, { session, from, prompt, tell, load })
      } catch (error) {
        // What was typed comes back: it was not sent.
        tell({ type: 'done', text: '', prompt })
        throw error
      }
    },
    answer({ approval, answer }) {
      runs.answer(approval, answer)
      tell({ type: 'answered' })
    },
    async stop() {
      if (session !== null) await runs.stop(session)
    },
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
      text: operationsText([operation], paint(), Date.now()),
    }))
  }

  const watch = watchMachine(machine, () => quietly(tell, load))
  return {
    async perform(effect) {
      try {
        await act[effect.do](effect as never)
      } catch (error) {
        sayFailure(tell, error)
      }
    },
    load: () => quietly(tell, load),
    async close() {
      watch[Symbol.dispose]()
      await runs.close()
    },
  }
}

/** The named session, or the project's newest; null where there is none yet. */
function startingSession({ machine, wanted }: Context): string | null {
  const directory = wanted.project ?? machine.places.cwd
  if (wanted.session === null && findProject(machine, directory) === null) return null
  return readSession(machine, wanted).report.id
}

function startTurn(
  context: Context,
  runs: Runs,
  known: {
    readonly session: string | null
    readonly from: string
    readonly prompt: string
    readonly tell: Tell
    readonly load: () => void
  },
): string {
  const { session, from, prompt, tell } = known
  const run = runs.converse({ session, project: session === null ? from : null, prompt })
  const place = { paint: colourless(context), project: run.project }
  const draw = drawRun(place, (text) => tell({ type: 'streamed', text }))
  run.log.follow(0, (event) => {
    if (event.type === 'approval') tell({ type: 'asked', approval: event })
    else if (event.type === 'approval_answered') tell({ type: 'answered' })
    else draw(event)
  })
  void finish(run, known)
  return run.session
}

async function finish(
  { ended }: Run,
  { tell, load }: { readonly tell: Tell; readonly load: () => void },
): Promise<void> {
  await ended
  tell({ type: 'turn-ended' })
  quietly(tell, load)
}

/** Another program may be in the middle of writing: what cannot be read now is said, not thrown. */
function quietly(tell: Tell, load: () => void): void {
  try {
    load()
  } catch (error) {
    sayFailure(tell, error)
  }
}

function sayFailure(tell: Tell, error: unknown): void {
  if (!(error instanceof Failure)) throw error
  const hint = error.hint === undefined ? '' : `\n${error.hint}`
  tell({ type: 'said', text: visible(`${error.message}${hint}`), tone: 'bad' })
}

/** What the command line would say about itself is said of the keys here. */
function saidHere(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('The undone prompt: '))
    .join('\n')
    .replace('`retake redo` brings it back.', 'r, or /redo, brings it back.')
}

function colourless({ environment: { unicode, width } }: Context): Paint {
  return makePaint({ colour: false, unicode, width })
}

/** What is drawn in the right pane has its width, not the terminal's. */
function paneOf({ environment }: Context): Paint {
  const columns = process.stdout.columns || environment.width
  const width = columns < 60 ? columns : columns - Math.min(36, Math.floor(columns / 3)) - 4
  return makePaint({ ...environment, width })
}
