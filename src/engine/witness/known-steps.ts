import type { LiveProcess, OpenSession } from '#agents'
import {
  hasShellStep,
  putShellSteps,
  type ShellStep,
  shellStepsSince,
  stepsWithoutTurn,
} from '#store'
import { stepsOf, type Step, type TurnId } from '#timeline'
import type { UnseenStep, RanStep, Witnesses } from './authors.ts'
import { findLiveProcesses, type Machine } from '../ground/index.ts'
import { outsidePath, toProjectPath, type Project } from '../project/index.ts'
import { backgroundJobs } from './background-jobs.ts'
import { stepsRunningOn } from './steps-running-on.ts'
import { askedPart, cutPart, openPart, stoppedPart, toolOf } from './reported-steps.ts'

/** Tolerance: the agent's timestamps and the file system's are not taken at the same moment. */
const SLACK = 2000

/** An allowed edit is written at once: a change this long after the call is not the edit's. */
const MAX_EDIT_MS = 60_000

/** When an agent that became idle has certainly written its last rows. */
const WRITTEN_MS = 1000

/** A step as a session's transcript has it. */
interface WrittenStep {
  readonly step: Step
  readonly turn: TurnId
  /** When the next prompt was sent: the step was over by then. Infinity if there is none. */
  readonly until: number
}

export interface Presence {
  readonly now: number
  /** Whether a process has the session open; with a time, one that had it open then. */
  readonly isAlive: (session: string, at?: number) => boolean
  /** Whether a process works on a turn of the session, or has done so a moment ago. */
  readonly isBusy: (session: string) => boolean
}

/**
 * Steps that may have written unseen since then: those that hooks reported, with their turns, and
 * those that only the transcripts have.
 */
export function knownSteps(
  project: Project,
  sessions: readonly OpenSession[],
  since: number,
  presence: Presence,
): Witnesses {
  const { store } = project
  const reported = shellStepsSince(store, since)
  const open = stepsWithoutTurn(store)
  const written = new Map<string, WrittenStep>()
  const unseen: UnseenStep[] = []
  for (const session of sessions) {
    const { id } = session.file
    for (const each of writtenSteps(
      session,
      since,
      open.some((step) => step.session === id),
    )) {
      const { step } = each
      written.set(step.id, each)
      const names = [step.id, cutPart(step.id), stoppedPart(step.id), openPart(step.id)]
      const isTold = names.some((name) => hasShellStep(store, name))
      if (!isTold) unseen.push(...unseenStep(project, { ...each, session: id }, presence))
    }
  }
  const found = open.flatMap((step) => {
    const turn = written.get(toolOf(step.tool).tool)?.turn
    return turn === undefined ? [] : [{ ...step, turn }]
  })
  if (found.length > 0) putShellSteps(store, found)
  const named = reported.flatMap(({ tool, session, began, ended, turn }) => {
    const of = turn ?? written.get(toolOf(tool).tool)?.turn ?? null
    if (of === null) return []
    const isOpen = toolOf(tool).part === 'open'
    const until = isOpen ? { ended: presence.now, isRunning: presence.isAlive(session) } : { ended }
    return [{ tool, began, turn: of, ...until }]
  })
  const all = sortOut(named, (tool) => written.get(tool)?.step)
  const lost = sortOut(lostSteps(reported, { sessions, written, presence }), () => undefined)
  return {
    jobs: backgroundJobs(store, sessions, since),
    steps: all.steps,
    unseen: [
      ...all.unseen,
      ...lost.unseen,
      ...lost.steps.map((step) => ({ ...step, why: NOT_WRITTEN })),
      ...unseen.filter(({ ended }) => ended >= since),
      ...stepsRunningOn(sessions, since, presence),
    ],
  }
}

const IN_BACKGROUND = 'a background command was running'
const NO_END = 'a command was running that did not end as usual'
const NOT_WRITTEN = 'a command ran that the agent did not record'
const NOT_REPORTED = 'a command ran at about that time'
const WAITED = 'a command was waiting for permission'
const HALF_EDIT = 'the agent was stopped while it edited this file'

/** How a step ended, and its command. */
type WrittenEnd = Pick<Step, 'outcome' | 'endedAt'> & Partial<Pick<Step, 'about' | 'startedAt'>>

/** A step that began this much after its call has waited for permission. */
const WAITED_MS = 2000

/** Agents note the start of a command a moment after it began. */
const NOTED_LATE_MS = 1000

/**
 * Separates reported steps into certain and uncertain ones. If no hook reported a step's end, the
 * transcript may have it: a denied command never ran.
 */
export function sortOut(
  reported: readonly (RanStep & { readonly isRunning?: boolean })[],
  find: (tool: string) => WrittenEnd | undefined,
): { steps: RanStep[]; unseen: UnseenStep[] } {
  const steps: RanStep[] = []
  const unseen: UnseenStep[] = []
  for (const { isRunning = false, ...call } of reported) {
    const { tool, part } = toolOf(call.tool)
    const written = find(tool)
    const began = Date.parse(written?.startedAt ?? '') - NOTED_LATE_MS
    const hasWaited = began - call.began > WAITED_MS && began < call.ended
    const each = hasWaited ? { ...call, began } : call
    if (hasWaited && part !== 'asked' && part !== 'behind')
      unseen.push({ ...call, ended: began, why: WAITED })
    const endedAt = Date.parse(written?.endedAt ?? '')
    const isOver = !Number.isNaN(endedAt) && endedAt < each.ended
    const command = written?.about === undefined ? {} : { command: written.about }
    const whole = { ...each, ...askedAt(reported, tool), ...command }
    if (part === 'whole') steps.push(isOver ? { ...whole, ended: endedAt } : whole)
    // A background command does not explain every change made while it runs: the user works too.
    if (part === 'behind') unseen.push({ ...each, why: IN_BACKGROUND })
    if (part !== 'cut' && part !== 'stopped' && part !== 'open') continue
    const isReportedSince = reported.some(
      (other) => other.tool === tool && other.ended >= each.ended,
    )
    const isDenied = written?.outcome === 'denied'
    if (isReportedSince || (isDenied && part !== 'stopped')) continue
    // If steps overlapped, the shell may be that of another step.
    if (isDenied && each.began === askedAt(reported, tool).asked)
      unseen.push({ ...each, why: NO_END })
    else if (Number.isNaN(endedAt) && isRunning) steps.push({ ...whole, tool })
    else if (Number.isNaN(endedAt)) unseen.push({ ...each, why: NO_END })
    else if (endedAt >= each.began)
      steps.push({ ...whole, tool, ended: Math.min(each.ended, endedAt) })
  }
  return { steps: steps.sort((a, b) => a.began - b.began), unseen }
}

/**
 * Reported steps that their agent can no longer record: it writes a call down up to a quarter of a
 * second after the call has begun, so one that was killed can leave none. They belong to the turn
 * that was running, as far as times tell.
 */
function lostSteps(
  reported: readonly ShellStep[],
  {
    sessions,
    written,
    presence,
  }: {
    readonly sessions: readonly OpenSession[]
    readonly written: ReadonlyMap<string, WrittenStep>
    readonly presence: Presence
  },
): RanStep[] {
  return reported.flatMap(({ tool, session, turn, began, ended }) => {
    const call = toolOf(tool)
    if (turn !== null || call.part === 'open' || written.has(call.tool)) return []
    const turns = sessions.find(({ file }) => file.id === session)?.conversation.turns ?? []
    const last = turns.findLast((each) => Date.parse(each.turn.at ?? '') <= began)
    if (last === undefined || presence.isAlive(session, began)) return []
    return [{ tool, turn: last.turn.id, began, ended }]
  })
}

function askedAt(reported: readonly RanStep[], tool: string): { asked?: number } {
  const asked = reported.find((each) => each.tool === askedPart(tool))?.began
  return asked === undefined ? {} : { asked }
}

function writtenSteps(session: OpenSession, since: number, hasOpen: boolean): WrittenStep[] {
  const { turns } = session.conversation
  const prompts = turns.map(({ turn }) => Date.parse(turn.at ?? ''))
  return turns.flatMap(({ turn }) => {
    // A background step of an old turn may still be running.
    const { ended } = session.factsOf(turn.id)
    const isOld = ended !== null && ended < since - SLACK
    if (isOld && !hasOpen) return []
    return allSteps(stepsOf(session.readTurn(turn.id).moments)).map((step) => {
      const later = prompts.filter((at) => at > Date.parse(step.at ?? ''))
      return { step, turn: turn.id, until: Math.min(...later) }
    })
  })
}

/** A step that is in the transcript but that no hook reported. */
function unseenStep(
  project: Project,
  { step, turn, until, session }: WrittenStep & { readonly session: string },
  { now, isAlive, isBusy }: Presence,
): UnseenStep[] {
  const { id, outcome, unknownEffect, agent, about } = step
  const [at, endedAt] = [Date.parse(step.at ?? ''), Date.parse(step.endedAt ?? '')]
  const began = Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at - SLACK
  // A hook may have run after the edit when the user stopped the agent, which reads as denied.
  const isCut = ['unfinished', 'interrupted', 'denied'].includes(outcome)
  if (unknownEffect === null && isCut && step.kind === 'edit') {
    const path = toProjectPath(about, project.path) ?? outsidePath(project, about)
    const last = Number.isNaN(endedAt) ? (isAlive(session) ? now : at + MAX_EDIT_MS) : endedAt
    const ended = Math.min(until, last)
    const running =
      until === Infinity && outcome === 'unfinished' && isBusy(session) ? { runsSince: at } : {}
    return path === null ? [] : [{ tool: id, turn, began, ended, path, why: HALF_EDIT, ...running }]
  }
  if (unknownEffect === null || agent !== null) return []
  if (!Number.isNaN(endedAt))
    return [{ tool: id, turn, began, ended: endedAt + SLACK, why: NOT_REPORTED }]
  const ended = Math.min(until, now)
  // The step is over. Store its end, or later changes would be attributed to it.
  if (!Number.isNaN(at) && (ended < now || !isAlive(session)))
    putShellSteps(project.store, [{ tool: cutPart(id), session, turn, began, ended }])
  return [{ tool: id, turn, began, ended, why: NO_END }]
}

export function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...allSteps(step.agent?.steps ?? [])])
}

export function presenceOn(machine: Machine): Presence {
  let known: readonly LiveProcess[] | null = null
  const live = (session: string): readonly LiveProcess[] =>
    (known ??= findLiveProcesses(machine)).filter((each) => each.session === session)
  const now = machine.now().getTime()
  // The agent says that it is idle before it has written its last rows.
  const isWriting = ({ status, statusSince }: LiveProcess): boolean =>
    status === 'busy' || (statusSince !== null && now - statusSince < WRITTEN_MS)
  return {
    now,
    isAlive: (session, at = Infinity) => live(session).some(({ startedAt }) => startedAt <= at),
    isBusy: (session) => live(session).some(isWriting),
  }
}
