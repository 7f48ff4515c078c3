import type { Agent, AgentName, AgentRun, Allowed, PromptImage, Runner } from '#agents'
import { Failure } from '#failure'
import type { ApprovalAnswer, RunEvent, RunOutcome, TurnId } from '#timeline'
import { agentOf, findSessionFile, type Machine } from '../ground/index.ts'
import { withPreview } from './preview-edit.ts'
import { liveProcesses, readSession } from '../session/index.ts'
import { agentForNew } from './agent-for-new.ts'
import { captureRun } from './run-capture.ts'
import { settleSession } from '../apply/index.ts'
import { openRunLog, type RunLog } from './run-log.ts'

/** A prompt for the agent, and the session it goes to. */
export interface Converse {
  /** A session's id; null starts a new one in the project. */
  readonly session: string | null
  /** The project of a new session. */
  readonly project: string | null
  /** The agent of a new session; default: that of the project's newest session. */
  readonly agent?: AgentName | null
  readonly prompt: string
  readonly images?: readonly PromptImage[]
  readonly model?: string | null
  readonly permissionMode?: string | null
}

/** One prompt: queued behind others, running, or ended. */
export interface Run {
  readonly id: string
  readonly session: string
  /** Settles once `session` is final: some agents choose the id of a new session. */
  readonly named: Promise<void>
  readonly project: string
  readonly prompt: string
  readonly turn: TurnId
  readonly log: RunLog
  readonly state: 'queued' | 'running' | 'ended'
  readonly ended: Promise<RunOutcome>
}

/** A run that was stopped so that the session can be moved. */
export interface Stopped {
  readonly run: Run
  /** Prompts that were queued behind it and never sent. */
  readonly dropped: readonly string[]
}

/**
 * The turns that this process runs. A session runs one turn at a time and queues further prompts.
 * Two sessions of one project may run at the same time.
 */
export interface Runs {
  converse(wanted: Converse): Run
  readonly isBusy: boolean
  /** The session's current run, if any. */
  find(session: string): Run | null
  /** The current run or else the last one: a client that lost its connection fetches the end. */
  last(session: string): Run | null
  /** A run by its id, including queued ones; null once it is forgotten. */
  byId(run: string): Run | null
  /** The mode of the session's next turn, unless its prompt names another. */
  permissionMode(session: string): string
  /** False if no run waits for this approval any more. */
  answer(approval: string, answer: ApprovalAnswer): boolean
  /**
   * Ends the running turn and drops the queued prompts. Once this resolves, the agent's process is
   * gone and the transcript has all it will ever have of the turn.
   */
  stop(session: string): Promise<Stopped | null>
  /** Removes a prompt from the queue; null if it is no longer queued. */
  drop(run: string): Run | null
  close(): Promise<void>
}

interface OwnRun extends Run {
  state: Run['state']
  session: string
  name(): void
  agent: AgentRun | null
  stopped: boolean
  settle(outcome: RunOutcome): void
  readonly wanted: Converse
  readonly isNew: boolean
}

export interface RunPlaces {
  /** The only environment variables that the agent's process gets. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly executable: string | null
}

export function openRuns(
  machine: Machine,
  places: RunPlaces,
  /** Called with the events of all runs. */
  tell: (run: Run, event: RunEvent | 'started') => void = () => {},
): Runs {
  const lines = new Map<string, OwnRun[]>()
  const allowed = new Map<string, Allowed>()
  const known = new Map<string, OwnRun>()

  const play = async (run: OwnRun): Promise<RunOutcome> => {
    run.state = 'running'
    tell(run, 'started')
    run.log.follow(0, (event) => tell(run, event))
    // Complete a pending move first: this prompt would cancel it, although no agent has the session
    // open.
    await settleSession(machine, { id: run.session, project: run.project })
    if (run.stopped) return 'interrupted'
    const capture = captureRun(machine, run, (event) => run.log.add(event))
    capture.scan()
    const runner = runnerOf(machine, run)
    run.agent = runner.start({
      session: run.session,
      isNew: run.isNew && findSessionFile(machine, run.session) === null,
      project: run.project,
      prompt: run.prompt,
      images: run.wanted.images ?? [],
      turn: run.turn,
      model: run.wanted.model ?? null,
      permissionMode: run.wanted.permissionMode ?? null,
      allowed: allowed.get(run.session) ?? { tools: [], mode: null },
      ...places,
      onSession: (session) => rename(run, session),
      tell(event) {
        if (event.type === 'approval') capture.onAsked(event.id)
        if (event.type === 'approval_answered' && event.allow) capture.onAllowed(event.id)
        run.log.add(event.type === 'approval' ? withPreview(runner, run.project, event) : event)
      },
      onStep: (step) => capture.onStep(step),
    })
    const ended = await run.agent.ended
    allowed.set(run.session, ended.allowed)
    capture.end(ended.outcome !== 'done')
    return ended.outcome
  }

  const rename = (run: OwnRun, session: string): void => {
    const line = lines.get(run.session) ?? []
    lines.delete(run.session)
    lines.set(session, line)
    for (const each of line) each.session = session
    run.name()
  }

  const startNext = (session: string): void => {
    const run = lines.get(session)?.[0]
    if (run?.state === 'queued') void playToEnd(run)
  }

  const playToEnd = async (run: OwnRun): Promise<void> => {
    try {
      finish(run, await play(run))
    } catch (error) {
      // One broken project must not take the server and its other runs down.
      const code = error instanceof Failure ? error.code : 'run-failed'
      run.log.add({ type: 'error', code, message: (error as Error).message })
      finish(run, 'failed')
    }
    startNext(run.session)
  }

  const finish = (run: OwnRun, outcome: RunOutcome): void => {
    const wasQueued = run.state === 'queued'
    run.state = 'ended'
    run.name()
    const line = lines.get(run.session) ?? []
    const place = line.indexOf(run)
    if (place !== -1) line.splice(place, 1)
    if (line.length === 0) lines.delete(run.session)
    // Last, because a listener may move the session at once.
    run.log.add({ type: 'turn_end', outcome })
    // Only the logs of played runs are followed.
    if (wasQueued) tell(run, { type: 'turn_end', outcome })
    run.settle(outcome)
    forgetOld(known)
  }

  return {
    converse(wanted) {
      const run = makeRun(machine, wanted, lines)
      known.set(run.id, run)
      const line = lines.get(run.session) ?? []
      lines.set(run.session, [...line, run])
      if (!run.isNew || findRunner(machine, run).runner?.namesSessions !== true) run.name()
      startNext(run.session)
      return run
    },
    get isBusy() {
      return lines.size > 0
    },
    find: (session) => lines.get(session)?.[0] ?? null,
    last: (session) =>
      lines.get(session)?.[0] ??
      [...known.values()].findLast((run) => run.session === session) ??
      null,
    byId: (run) => known.get(run) ?? null,
    permissionMode: (session) => allowed.get(session)?.mode ?? 'default',
    answer: (approval, answer) =>
      [...lines.values()].some(([run]) => run?.agent?.answer(approval, answer) === true),
    async stop(session) {
      const line = lines.get(session)
      const run = line?.[0]
      if (run === undefined) return null
      const waiting = line!.splice(1)
      run.stopped = true
      run.agent?.stop()
      for (const each of waiting) finish(each, 'interrupted')
      await run.ended
      return { run, dropped: waiting.map(({ prompt }) => prompt) }
    },
    drop(id) {
      const run = known.get(id)
      if (run?.state !== 'queued') return null
      finish(run, 'interrupted')
      return run
    },
    async close() {
      await Promise.all([...lines.keys()].map((session) => this.stop(session)))
    },
  }
}

function makeRun(
  machine: Machine,
  wanted: Converse,
  lines: ReadonlyMap<string, readonly OwnRun[]>,
): OwnRun {
  const prompt = wanted.prompt.trim()
  if (prompt === '' && (wanted.images ?? []).length === 0)
    throw new Failure('usage', 'There is no prompt.')
  const { promise, resolve } = Promise.withResolvers<RunOutcome>()
  const { promise: named, resolve: name } = Promise.withResolvers<void>()
  return {
    named,
    name,
    id: machine.newId(),
    ...placeOf(machine, wanted, lines),
    prompt,
    turn: machine.newId() as TurnId,
    log: openRunLog(),
    state: 'queued',
    agent: null,
    stopped: false,
    ended: promise,
    settle: resolve,
    wanted,
  }
}

function placeOf(
  machine: Machine,
  { session, project }: Converse,
  lines: ReadonlyMap<string, readonly OwnRun[]>,
): { session: string; project: string; isNew: boolean } {
  if (session === null) {
    if (project === null) throw new Failure('usage', 'A new session needs a project.')
    return { session: machine.newId(), project, isNew: true }
  }
  const running = lines.get(session)?.[0]
  if (running !== undefined) return { session, project: running.project, isNew: running.isNew }
  const { report } = readSession(machine, { session, project: null })
  const [live] = liveProcesses(machine, report.id)
  // A second process would not see the first one's turns, and one would hide the other's.
  if (live !== undefined)
    throw new Failure(
      live.status === 'busy' ? 'session-busy' : 'session-live',
      `The session is open in a running agent (process ${live.pid}).`,
      {
        hint: `Continue there, or leave it with ${agentOf(machine, report).words.leave} first.`,
      },
    )
  if (report.project === null)
    throw new Failure('project-missing', 'The session does not name its project.')
  return { session: report.id, project: report.project, isNew: false }
}

/** A new session has no file yet; neither has one whose first turn was stopped early. */
function runnerOf(machine: Machine, run: Pick<OwnRun, 'session' | 'project' | 'wanted'>): Runner {
  const { runner, words } = findRunner(machine, run)
  if (runner) return runner
  const who = words?.name ?? 'No agent here'
  throw new Failure('agent-not-started', `${who} cannot be run from Retake.`, {
    hint: 'Continue in the agent itself. Retake sees what it does.',
  })
}

function findRunner(
  machine: Machine,
  { session, project, wanted }: Pick<OwnRun, 'session' | 'project' | 'wanted'>,
): Partial<Pick<Agent, 'runner' | 'words'>> {
  const file = findSessionFile(machine, session)
  const name = file?.agent ?? wanted.agent ?? null
  if (name !== null) return agentOf(machine, { agent: name })
  return agentForNew(machine, project) ?? {}
}

/** Keeps the logs of only the newest ended runs, for clients that reconnect. */
function forgetOld(known: Map<string, OwnRun>): void {
  const over = [...known.values()].filter(({ state }) => state === 'ended')
  for (const { id } of over.slice(0, Math.max(0, over.length - KEPT))) known.delete(id)
}

const KEPT = 50
