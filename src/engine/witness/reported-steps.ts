import type { HookEvent, ShellStamp, SpoolEvent } from '#agents'
import type { ShellStep } from '#store'

/** The state of the machine when the events are read. */
export interface Reading {
  readonly now: number
  /** Whether the process that ran the step still runs. */
  readonly isAlive: (session: string, step: { began: number }) => boolean
  /** Whether the shell that left this stamp still runs. */
  readonly isShellAlive: (stamp: ShellStamp) => boolean
}

export interface ReportedStep {
  readonly step: ShellStep
  readonly from: readonly SpoolEvent[]
  /** The step may still write, so its events are needed again. */
  readonly isOpen: boolean
}

const BEHIND = ' behind'
const CUT = ' cut'
const STOPPED = ' stopped'
const ASKED = ' asked'
const OPEN = ' open'

/** The part of a step after its reported end: a server can run in the background for hours. */
export function backgroundPart(tool: string): string {
  return `${tool}${BEHIND}`
}

/** A step without a reported end: it may have been denied, interrupted or killed. */
export function cutPart(tool: string): string {
  return `${tool}${CUT}`
}

/**
 * A step whose shell ran, without a reported end. The agent records an interrupted command in the
 * same words as one that the user denied, but a denied one has no shell.
 */
export function stoppedPart(tool: string): string {
  return `${tool}${STOPPED}`
}

/** Records when a step was called: its hook requested a scan then. */
export function askedPart(tool: string): string {
  return `${tool}${ASKED}`
}

/** A step that Retake runs itself, until its end is known. */
export function openPart(tool: string): string {
  return `${tool}${OPEN}`
}

type Part = 'whole' | 'behind' | 'cut' | 'stopped' | 'asked' | 'open'

export function toolOf(name: string): { tool: string; part: Part } {
  if (name.endsWith(BEHIND)) return { tool: name.slice(0, -BEHIND.length), part: 'behind' }
  if (name.endsWith(CUT)) return { tool: name.slice(0, -CUT.length), part: 'cut' }
  if (name.endsWith(STOPPED)) return { tool: name.slice(0, -STOPPED.length), part: 'stopped' }
  if (name.endsWith(ASKED)) return { tool: name.slice(0, -ASKED.length), part: 'asked' }
  if (name.endsWith(OPEN)) return { tool: name.slice(0, -OPEN.length), part: 'open' }
  return { tool: name, part: 'whole' }
}

/** Tolerance for the shell's start. The reported duration excludes the wait for permission. */
const BEFORE_SHELL = 50

/** How long to wait for the end of a background command whose shell left no stamp. */
const MAX_BACKGROUND_MS = 24 * 60 * 60 * 1000

/** The agent itself runs no step of the turn before these any more. */
const ENDS_TURN: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop'])

/** Hooks of a newer version may report other events of a step, which are not its end. */
const ENDS: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure'])

interface Span {
  readonly tool: string
  readonly pre: HookEvent | undefined
  readonly post: HookEvent | undefined
  readonly from: number
  /** The latest possible end of the step; null while nothing shows that it ended. */
  readonly until: number | null
  /** When the session went on after it; null if it did not yet. */
  readonly next: number | null
}

/**
 * When each step of one session ran, as far as the events show. A step without an end is over at
 * the next step, prompt, session start or session end, or when its process is gone (sem.A3).
 */
export function reportedSteps(events: readonly SpoolEvent[], reading: Reading): ReportedStep[] {
  const hooks = events.filter((event) => event.kind === 'hook')
  const stamps = events.filter((event) => event.kind === 'shell')
  const byTool = Map.groupBy(
    hooks.filter(
      ({ toolUseId, name }) => toolUseId !== undefined && (name === 'PreToolUse' || ENDS.has(name)),
    ),
    ({ toolUseId }) => toolUseId!,
  )
  const spans = [...byTool].map(([tool, events]) => spanOf(tool, events, hooks))
  return spans.flatMap((span) => {
    const found = stepsOfSpan(span, { spans, stamps }, reading)
    const { pre, tool } = span
    if (pre === undefined) return found
    const { step, from, isOpen } = found[0]!
    const asked = { ...step, tool: askedPart(tool), began: millis(pre) }
    return [...found, { step: asked, from, isOpen }]
  })
}

function spanOf(tool: string, events: readonly HookEvent[], hooks: readonly HookEvent[]): Span {
  const pre = events.find(({ name }) => name === 'PreToolUse')
  const post = events.find(({ name }) => ENDS.has(name))
  const from = pre === undefined ? beganBefore(post) : millis(pre)
  const next = nextAfter(post ?? pre!, hooks)
  return { tool, pre, post, from, until: post === undefined ? next : millis(post), next }
}

/** An agent runs its steps one after the other; a subagent's steps run in parallel with them. */
function nextAfter(last: HookEvent, hooks: readonly HookEvent[]): number | null {
  const next = hooks.find((event) => {
    if (event.at <= last.at || event.toolUseId === last.toolUseId) return false
    if (event.name === 'PreToolUse') return event.agentId === last.agentId
    return (
      event.name === 'SessionStart' ||
      event.name === 'SessionEnd' ||
      (ENDS_TURN.has(event.name) && last.agentId === undefined)
    )
  })
  return next === undefined ? null : millis(next)
}

function stepsOfSpan(
  span: Span,
  { spans, stamps }: { spans: readonly Span[]; stamps: readonly ShellStamp[] },
  { now, isAlive, isShellAlive }: Reading,
): ReportedStep[] {
  const { tool, pre, post, from } = span
  const said = [pre, post].flatMap((event) => event ?? [])
  const session = said[0]!.session
  const until = span.until ?? now
  const startsIn = (first: number, last: number): ShellStamp[] =>
    stamps.filter(
      (stamp) => stamp.name === 'start' && millis(stamp) >= first && millis(stamp) <= last,
    )
  const during = startsIn(from, until)
  const isFree = (stamp: ShellStamp): boolean =>
    spans.every((other) => other === span || !overlap(other, at(stamp), now))
  // The agent reports a background command at once: its shell may start only then.
  const isLate = during.length === 0 && post?.background === true
  const starts = isLate
    ? startsIn(until, span.next ?? now)
        .filter(isFree)
        .slice(0, 1)
    : during
  // The shells of overlapping steps cannot be told apart.
  const isAlone = spans.every((other) => other === span || !overlap(other, { from, until }, now))
  const shells = starts.map((start) => ({ start, end: endOf(start, stamps) }))
  const ends = shells.flatMap(({ end }) => (end === undefined ? [] : [millis(end)]))
  const hasEnded = shells.length > 0 && ends.length === shells.length
  const exact = isAlone && shells.length === 1 && !isLate
  const began = exact ? millis(shells[0]!.start) : beganBefore(post, pre)
  const events = [...said, ...shells.flatMap(({ start, end }) => (end ? [start, end] : [start]))]
  const step = { session, turn: null, began }
  const make = (name: string, times: object, isOpen = false): ReportedStep => ({
    step: { tool: name, ...step, ended: until, ...times },
    from: events,
    isOpen,
  })

  if (post?.background === true) {
    const isGone = shells.length > 0 && !shells.some(({ start }) => isShellAlive(start))
    const isOpen = !hasEnded && !isGone && now - from < MAX_BACKGROUND_MS
    const ended = hasEnded ? Math.max(...ends) : now
    return [
      make(tool, {}, isOpen),
      make(backgroundPart(tool), { began: millis(post), ended }, isOpen),
    ]
  }
  if (post !== undefined) return [make(tool, exact && hasEnded ? { ended: ends[0]! } : {})]
  const last = Math.max(...ends)
  const cut = shells.length > 0 ? stoppedPart(tool) : cutPart(tool)
  // A killed agent leaves the shells of its commands running.
  const isOrphan =
    now - from < MAX_BACKGROUND_MS &&
    shells.some(({ start, end }) => end === undefined && isShellAlive(start))
  if (span.until !== null && (isOrphan || (hasEnded && last > until)))
    return [
      make(cut, {}, isOrphan),
      make(backgroundPart(tool), { began: until, ended: isOrphan ? now : last }, isOrphan),
    ]
  const isRunning = span.until === null && isAlive(session, { began: from })
  // An agent reports a step that ends while it lives. If it was killed, the user may be at work.
  if (hasEnded) return [make(isRunning ? tool : cut, { ended: last })]
  if (!isRunning) return [make(cut, {}, span.until === null && isOrphan)]
  // No shell has started: the agent may still be asking for permission.
  const isWaiting = shells.length === 0 && pre?.command !== undefined
  return [make(isWaiting ? cutPart(tool) : tool, {}, true)]
}

function at(stamp: ShellStamp): { from: number; until: number } {
  return { from: millis(stamp), until: millis(stamp) }
}

function overlap(other: Span, { from, until }: { from: number; until: number }, now: number) {
  return other.from <= until && (other.until ?? now) >= from
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
