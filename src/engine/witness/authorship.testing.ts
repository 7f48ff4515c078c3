import type { SpoolEvent } from '#agents'
import type { Sighting } from '#store'
import {
  absent,
  type ContentId,
  type ProjectPath,
  type Step,
  type TurnId,
  type Value,
} from '#timeline'
import type { UnseenStep, RanStep } from './authors.ts'
import { sortOut } from './known-steps.ts'
import { reportedSteps, toolOf } from './reported-steps.ts'
import { isTooEarly } from './too-early.ts'
import { combineLinks } from './combine-links.ts'
import type { CombinedLink } from './combined-link.ts'

/** One event. Its time follows from its position: the clock advances before each act. */
export type Act =
  | { readonly kind: 'prompt' }
  /** A shell command: how it ends, which files it touches, and whether it waits for permission. */
  | {
      readonly kind: 'bash'
      /** `rejected`: interrupted while it ran, but the agent records that the user denied it. */
      readonly end: 'ok' | 'denied' | 'interrupted' | 'rejected' | 'killed'
      readonly touches: readonly Touch[]
      readonly permission: boolean
      /** Path of an edit in the same message, made before the next scan. */
      readonly beside: string | null
      /** Whether the hook before the command waited for a scan. */
      readonly isSeen: boolean
    }
  /** A recorded edit; the user's hooks may reformat the file before the agent records the edit. */
  | {
      readonly kind: 'edit'
      readonly path: string
      readonly isFormatted: boolean
      /** Whether someone reads the session before the edit is recorded, or even its call. */
      readonly read: 'after-call' | 'before-call' | 'no'
    }
  | { readonly kind: 'user'; readonly touch: Touch }
  | { readonly kind: 'scan' }
  | { readonly kind: 'read' }

export interface Touch {
  readonly path: string
  readonly does: 'write' | 'delete'
}

/** A write and its real author. */
export interface Truth {
  readonly path: string
  readonly by: TurnId | 'user'
  readonly after: Value
  /** Written by one of the agent's hooks, which leaves no record. */
  readonly isHooks: boolean
}

const SESSION = 's'
const LONG = 3000

/**
 * Simulates the acts with one clock. Returns every write with its real author, and the links that
 * Retake derives from what it can see: hooks, stamps, rows and scans.
 */
export function playAuthorship(acts: readonly Act[]): { truth: Truth[]; links: CombinedLink[] } {
  let now = 1_000_000
  let writes = 0
  const files = new Map<string, Value>([['d/f', fileOf('f0')], ['d/g', fileOf('g0')], ['e/h', fileOf('h0')]]) // prettier-ignore
  const times = new Map<string, number>()
  const births = new Map<string, number>()
  const seen = new Map(files)
  let lastScan = now
  const truth: Truth[] = []
  let sightings: Sighting[] = []
  const events: SpoolEvent[] = []
  const reported = new Map<string, RanStep & { turn: TurnId }>()
  const rows = new Map<string, { turn: TurnId; step: Pick<Step, 'outcome' | 'endedAt'> }>()
  let recorded: CombinedLink[] = []
  const ledger: CombinedLink[] = []
  const running: UnseenStep[] = []
  let lastRow = now
  const known = new Map<string, Value>()
  let turn = 't0' as TurnId
  let isAlive = true
  /** The agent does nothing more until the next prompt. */
  let isStopped = false
  let tools = 0

  const wait = (ms: number): void => void (now += ms)
  const write = ({ path, does }: Touch, by: TurnId | 'user', isHooks = false): void => {
    const before = files.get(path) ?? absent
    const after = does === 'delete' ? absent : fileOf(`v${++writes}`)
    if (before.kind === 'absent' && after.kind === 'absent') return
    files.set(path, after)
    times.set(path, now)
    if (before.kind === 'absent') births.set(path, now)
    if (before.kind === 'absent' || after.kind === 'absent') times.set(parentOf(path), now)
    truth.push({ path, by, after, isHooks })
    wait(40)
  }
  const scan = (): void => {
    takeEvents()
    const [began, at] = [now, now + 5]
    for (const [path, after] of files) {
      const before = seen.get(path) ?? absent
      if (JSON.stringify(before) === JSON.stringify(after)) continue
      const changedAt = times.get(after.kind === 'absent' ? parentOf(path) : path)!
      const isNew = before.kind === 'absent' ? { bornAt: births.get(path)! } : {}
      sightings.push({ path: path as ProjectPath, before, after, since: lastScan, began, at, changedAt, ...isNew }) // prettier-ignore
    }
    for (const [path, value] of files) seen.set(path, value)
    lastScan = began
    wait(20)
  }
  const ingest = (isReading: boolean): void => {
    scan()
    const sorted = sortOut([...reported.values()], (tool) => rows.get(tool)?.step)
    const witnesses = { ...sorted, unseen: [...sorted.unseen, ...running] }
    const lastRows = isAlive && !isStopped ? [lastRow] : []
    if (isReading && isTooEarly(sightings, witnesses, { now, lastRows })) return
    const since = Math.min(...sightings.map((sighting) => sighting.since))
    const paths = new Set(sightings.map(({ path }) => path))
    const before = ledger
      .filter(({ path, at }) => paths.has(path) || at >= since)
      .map((link) => ({ ...link, isKnown: true as const }))
    ledger.push(...combineLinks([...before, ...recorded], sightings, witnesses))
    sightings = []
    recorded = []
  }
  const takeEvents = (): void => {
    const found = reportedSteps(events, {
      now,
      isAlive: () => isAlive,
      isShellAlive: () => false,
    })
    for (const { step } of found) {
      const of = rows.get(toolOf(step.tool).tool)?.turn ?? turn
      reported.set(step.tool, { ...step, turn: reported.get(step.tool)?.turn ?? of })
    }
    const open = new Set(found.flatMap(({ isOpen, from }) => (isOpen ? from : [])))
    events.splice(0, events.length, ...events.filter((event) => open.has(event)))
  }
  const tell = (name: string, tool?: string, more: object = {}): void => {
    const plain = { kind: 'hook' as const, file: '', cwd: '', transcript: '', session: SESSION }
    const of = tool === undefined ? {} : { toolUseId: tool, tool: 'Bash' }
    events.push({ ...plain, name, at: BigInt(now) * 1_000_000n, ...of, ...more })
  }
  const stamp = (name: 'start' | 'end', shell: number): void => {
    events.push({ kind: 'shell', file: '', name, at: BigInt(now) * 1_000_000n, session: SESSION, shell }) // prettier-ignore
  }
  const prompt = (): void => {
    isAlive = true
    isStopped = false
    turn = `t${truth.length}-${now}` as TurnId
    lastRow = now
    tell('UserPromptSubmit')
    scan()
  }

  const edit = ({ path, isFormatted, read }: Extract<Act, { kind: 'edit' }>): void => {
    const calledAt = now
    const called = (): void => {
      const isPast = running.length > 0 || read === 'no'
      if (isPast) return
      lastRow = calledAt
      running.push({
        tool: '', turn, began: calledAt - 2000, ended: now, path: path as ProjectPath,
        why: '', runsSince: calledAt,
      }) // prettier-ignore
    }
    if (read === 'after-call') called()
    wait(30)
    const before = files.get(path) ?? absent
    // The agent must reread a file that changed since it last read or wrote it.
    const isReread = known.has(path) && known.get(path) !== before
    write({ path, does: 'write' }, turn)
    const after = files.get(path)!
    if (read !== 'no') ingest(true)
    called()
    if (isFormatted) {
      wait(LONG)
      write({ path, does: 'write' }, turn, true)
      if (read !== 'no') ingest(true)
    }
    running.length = 0
    lastRow = now
    known.set(path, files.get(path)!)
    recorded.push({
      path: path as ProjectPath, from: null, before, after, author: { kind: 'turn', id: turn },
      evidence: `recorded ${++tools}`, gitHead: null, at: now, calledAt, isReread, madeDirectories: [],
    }) // prettier-ignore
    wait(50)
  }
  const bash = ({
    end,
    touches,
    permission,
    beside,
    isSeen,
  }: Extract<Act, { kind: 'bash' }>): void => {
    const tool = `bash${++tools}`
    const row = (outcome: Step['outcome'], at: number | null): void => {
      const endedAt = at === null ? null : new Date(at).toISOString()
      rows.set(tool, { turn, step: { outcome, endedAt } })
      lastRow = now
    }
    row('unfinished', null)
    tell('PreToolUse', tool)
    if (isSeen) scan()
    if (permission) wait(LONG)
    isStopped = end === 'denied' || end === 'killed'
    if (end === 'denied') return row('denied', now)
    const began = now
    stamp('start', tools)
    wait(20)
    for (const touch of touches) write(touch, turn)
    if (end === 'killed') {
      isAlive = false
      return wait(LONG)
    }
    if (end === 'ok') stamp('end', tools)
    wait(20)
    row(end === 'rejected' ? 'denied' : end, now)
    isStopped = end !== 'ok'
    if (end === 'ok') {
      tell('PostToolUse', tool, { durationMs: now - began })
      if (beside !== null) edit({ kind: 'edit', path: beside, isFormatted: false, read: 'no' })
      scan()
    }
    wait(50)
  }

  prompt()
  for (const act of acts) {
    wait(2000)
    if (isStopped && (act.kind === 'bash' || act.kind === 'edit')) prompt()
    if (act.kind === 'prompt') prompt()
    if (act.kind === 'bash') bash(act)
    if (act.kind === 'edit') edit(act)
    if (act.kind === 'user') write(act.touch, 'user')
    if (act.kind === 'scan') scan()
    if (act.kind === 'read') ingest(true)
  }
  wait(LONG)
  isAlive = false
  ingest(false)
  return { truth, links: ledger }
}

function fileOf(name: string): Value {
  return { kind: 'file', content: name as ContentId, mode: 0o644 }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
