import { claudeCode, type HookEvent, type OpenSession, type SpoolEvent } from '#agents'
import { durableDisk } from '#disk'
import { putShellSteps, type ShellStep } from '#store'
import { stepsOf, type Step, type TurnId } from '#timeline'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'

/**
 * Takes the events of these sessions out of the spool and keeps what they say about steps that may
 * write unseen: when each really ran, and of which turn it is.
 */
export function takeSpool(
  machine: Machine,
  { store }: Project,
  sessions: readonly OpenSession[],
): void {
  const directory = claudeCode.spoolDirectory(machine.places.state)
  const ids = new Set(sessions.map(({ file }) => file.id))
  const { events } = claudeCode.readSpool(durableDisk, directory, {
    now: machine.now(),
    sessions: ids,
  })
  if (events.length === 0) return
  const kept = sessions.flatMap((session) =>
    stepsIn(
      events.filter((event) => event.session === session.file.id),
      turnsOfSteps(session),
      machine.now().getTime(),
    ),
  )
  putShellSteps(store, kept)
  // A step whose row is not in the transcript yet stays in the spool until it is.
  const known = new Set(kept.map(({ tool }) => tool))
  const open = events.some(
    (event) =>
      event.kind === 'hook' && event.toolUseId !== undefined && !known.has(event.toolUseId),
  )
  if (!open) claudeCode.dropSpooled(durableDisk, directory, events)
}

function turnsOfSteps(session: OpenSession): Map<string, TurnId> {
  const turns = new Map<string, TurnId>()
  const note = (steps: readonly Step[], turn: TurnId): void => {
    for (const step of steps) {
      turns.set(step.id, turn)
      note(step.agent?.steps ?? [], turn)
    }
  }
  for (const { turn } of session.conversation.turns)
    note(stepsOf(session.readTurn(turn.id).moments), turn.id)
  return turns
}

/** The permission wait lies before the shell starts and is not in the duration. */
const BEFORE_SHELL = 50

function stepsIn(
  events: readonly SpoolEvent[],
  turns: ReadonlyMap<string, TurnId>,
  now: number,
): ShellStep[] {
  const hooks = events.filter((event) => event.kind === 'hook')
  const stamps = events.filter((event) => event.kind === 'shell')
  const begins = hooks.filter(({ name }) => name === 'PreToolUse')
  return begins.flatMap((pre): ShellStep[] => {
    const turn = turns.get(pre.toolUseId ?? '')
    if (pre.toolUseId === undefined || turn === undefined) return []
    const post = hooks.find((event) => event !== pre && event.toolUseId === pre.toolUseId)
    const latest = post === undefined || post.background ? now : millis(post)
    const start = stamps.find(
      (stamp) => stamp.name === 'start' && stamp.at >= pre.at && millis(stamp) <= latest,
    )
    const end =
      start &&
      stamps.find(
        (stamp) => stamp.name === 'end' && stamp.shell === start.shell && stamp.at >= start.at,
      )
    return [
      {
        tool: pre.toolUseId,
        session: pre.session,
        turn,
        began: start === undefined ? beganBefore(pre, post) : millis(start),
        ended: end === undefined ? latest : millis(end),
      },
    ]
  })
}

function beganBefore(pre: HookEvent, post: HookEvent | undefined): number {
  if (post?.durationMs === undefined) return millis(pre)
  return Math.max(millis(pre), millis(post) - post.durationMs - BEFORE_SHELL)
}

function millis({ at }: { at: bigint }): number {
  return Number(at) / 1e6
}
