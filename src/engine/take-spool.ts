import { claudeCode, type HookEvent, type ShellStamp, type SpoolEvent } from '#agents'
import { durableDisk } from '#disk'
import { putShellSteps, type ShellStep } from '#store'
import { behindOf } from './known-steps.ts'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'

/**
 * Takes the events of these sessions out of the spool and keeps what they say about steps that may
 * write unseen: when each really ran. Of which turn a step is, the agent has perhaps not written
 * down yet. The events of a step that still runs stay, and are read again.
 */
export function takeSpool(
  machine: Machine,
  { store }: Project,
  sessions: ReadonlySet<string>,
): void {
  const directory = claudeCode.spoolDirectory(machine.places.state)
  const now = machine.now()
  const { events, garbage } = claudeCode.readSpool(durableDisk, directory, { now, sessions })
  const found = [...Map.groupBy(events, ({ session }) => session).values()].flatMap((each) =>
    stepsIn(each, now.getTime()),
  )
  if (found.length > 0)
    putShellSteps(
      store,
      found.map(({ step }) => step),
    )
  const open = new Set(found.flatMap(({ isOpen, from }) => (isOpen ? from : [])))
  const done = events.filter((event) => !open.has(event) && !mayBeOfOpenStep(event, open))
  claudeCode.dropSpooled(durableDisk, directory, [...done, ...garbage])
}

/** What a hook does before it looks: the events of its session do not pile up while nobody asks. */
export function takeEvents(machine: Machine, project: Project, session: string | undefined): void {
  claudeCode.reopenSpool(durableDisk, claudeCode.spoolDirectory(machine.places.state))
  if (session !== undefined) takeSpool(machine, project, new Set([session]))
}

/** The stamps of a step that is not over are needed to know its end. */
function mayBeOfOpenStep(event: SpoolEvent, open: ReadonlySet<SpoolEvent>): boolean {
  if (event.kind !== 'shell') return false
  return [...open].some(
    (other) =>
      other.kind === 'shell' && other.session === event.session && other.shell === event.shell,
  )
}

interface FoundStep {
  readonly step: ShellStep
  readonly from: readonly SpoolEvent[]
  /** It may write still. */
  readonly isOpen: boolean
}

/** The permission wait lies before the shell starts and is not in the duration. */
const BEFORE_SHELL = 50

/** After this nobody waits for the end of a step any more: whoever would tell is gone. */
const PATIENCE = 24 * 60 * 60 * 1000

function stepsIn(all: readonly SpoolEvent[], now: number): FoundStep[] {
  const hooks = all.filter((event) => event.kind === 'hook')
  const stamps = all.filter((event) => event.kind === 'shell')
  const byTool = Map.groupBy(
    hooks.filter(({ toolUseId }) => toolUseId !== undefined),
    ({ toolUseId }) => toolUseId!,
  )
  const spans = [...byTool].map(([tool, told]) => ({
    tool,
    pre: told.find(({ name }) => name === 'PreToolUse'),
    post: told.find(({ name }) => name !== 'PreToolUse'),
  }))
  return spans.flatMap(({ tool, pre, post }): FoundStep[] => {
    const said = [pre, post].flatMap((event) => event ?? [])
    const toldEnd = post === undefined || post.background ? now : millis(post)
    const from = pre === undefined ? beganBefore(post) : millis(pre)
    const until = post === undefined ? now : millis(post)
    const starts = stamps.filter(
      (stamp) => stamp.name === 'start' && millis(stamp) >= from && millis(stamp) <= until,
    )
    // Shells that ran at the same time for several steps cannot be told apart.
    const isAlone = spans.every(
      (other) => other.tool === tool || !overlaps(other, { from, until }, now),
    )
    const shells = starts.map((start) => ({ start, end: endOf(start, stamps) }))
    const ends = shells.flatMap(({ end }) => (end === undefined ? [] : [millis(end)]))
    const isOver = post !== undefined && post.background !== true
    const hasEnded = shells.length > 0 && ends.length === shells.length
    const isOpen = !isOver && !hasEnded && now - from < PATIENCE
    const exact = isAlone && shells.length === 1
    const session = said[0]!.session
    const began = exact ? millis(shells[0]!.start) : beganBefore(post, pre)
    const ended = hasEnded && (exact || !isOver) ? Math.max(...ends) : toldEnd
    const events = [...said, ...shells.flatMap(({ start, end }) => (end ? [start, end] : [start]))]
    if (post?.background !== true)
      return [{ step: { tool, session, turn: null, began, ended }, from: events, isOpen }]
    const behind = { tool: behindOf(tool), session, turn: null, began: millis(post), ended }
    return [
      { step: { tool, session, turn: null, began, ended: millis(post) }, from: events, isOpen },
      { step: behind, from: events, isOpen },
    ]
  })
}

function overlaps(
  { pre, post }: { pre: HookEvent | undefined; post: HookEvent | undefined },
  { from, until }: { from: number; until: number },
  now: number,
): boolean {
  const began = pre === undefined ? beganBefore(post) : millis(pre)
  return began <= until && (post === undefined ? now : millis(post)) >= from
}

function endOf(start: ShellStamp, stamps: readonly ShellStamp[]): ShellStamp | undefined {
  return stamps.find(
    ({ name, shell, at }) => name === 'end' && shell === start.shell && at >= start.at,
  )
}

function beganBefore(post: HookEvent | undefined, pre?: HookEvent): number {
  const earliest = pre === undefined ? Number.NEGATIVE_INFINITY : millis(pre)
  if (post === undefined) return earliest
  if (post.durationMs === undefined) return pre === undefined ? millis(post) : earliest
  return Math.max(earliest, millis(post) - post.durationMs - BEFORE_SHELL)
}

function millis({ at }: { at: bigint }): number {
  return Number(at) / 1e6
}
