import type { NewLink, Sighting } from '#store'
import type { ProjectPath, TurnId } from '#timeline'
import type { BackgroundJob } from './background-jobs.ts'

/** Steps that may have changed files without recording it, with their times. */
export interface Witnesses {
  /** Steps whose actual run times are known. */
  readonly steps: readonly RanStep[]
  /** Steps that ran at some point in this interval. A change within it may be theirs (sem.A3). */
  readonly unseen: readonly UnseenStep[]
  /** Commands that may have gone on after their step. */
  readonly jobs?: readonly BackgroundJob[]
  /** Steps that ended before this count only for files whose times lag behind the scan. */
  readonly since?: number
}

export interface RanStep {
  readonly tool: string
  readonly turn: TurnId
  readonly began: number
  readonly ended: number
  readonly command?: string
  /** When the hook before the step requested a scan; unset if no hook did. */
  readonly asked?: number
}

export interface UnseenStep extends RanStep {
  /** Why the author is unsure, as shown to the user. */
  readonly why: string
  /** Set if the step can only have written this path. */
  readonly path?: ProjectPath
  /** When the agent called it, if it still runs: its result is not recorded yet. */
  readonly runsSince?: number
}

export type Author = NewLink['author'] & {
  evidence: string
  /** Other turns that may have made the change. */
  sharedWith?: readonly TurnId[]
}

/** Tolerance: stamps and file times share a clock that advances every few milliseconds. */
export const TICK = 12

/**
 * Scans record whole milliseconds. A scan saw everything of a step that ended before it began. With
 * a whole TICK here, the step would be blamed for files that the user saves much later.
 */
const CUT_OFF = 1

export interface SeenWhen {
  /** When the path's chain of links was last known to be complete. */
  readonly from?: number
  /** A known write explains why a deleted file's directory changed after the deletion. */
  readonly isExplained?: boolean
}

/** Determines the author by when the file, or the directory it was deleted from, last changed. */
export function authorAt(
  witnesses: Witnesses,
  sighting: Sighting,
  { from = sighting.since, isExplained = false }: SeenWhen = {},
): Author {
  const { changedAt, at, after, directory, path } = sighting
  const isBefore = changedAt !== null && changedAt < sighting.since
  const lagging = isBefore ? stepAt(witnesses, changedAt) : null
  if (lagging !== null) return shellAuthor(lagging)
  if (changedAt === null || isBefore) return authorBetween(witnesses, path, { from, to: at })
  const steps = stepsSince(witnesses)
  const running = steps.filter((step) => ran(step, changedAt, changedAt))
  const last = running.at(-1)
  const turns = new Set(running.map(({ turn }) => turn))
  const earlier = steps.filter(
    (step) => step.ended >= from + CUT_OFF && step.began - TICK <= changedAt,
  )
  if (last !== undefined) {
    // Only the last write leaves its time: the content seen may include an earlier step's write.
    const others = earlier.some(({ turn }) => turn !== last.turn)
    if (turns.size > 1 || (others && directory === undefined)) {
      const all = directory === undefined ? [...earlier, ...running] : running
      return { kind: 'shared', evidence: 'commands of more than one turn ran then', ...oneOf(all, path) } // prettier-ignore
    }
    // A directory made by this step cannot contain an earlier change.
    const isMade = directory?.change === 'made'
    if (!isMade && mayHideEdit(last, sighting, from)) return unsure(last, UNSEEN)
    return shellAuthor(last)
  }
  const unseen = witnesses.unseen.find(
    (step) => ran(step, changedAt, changedAt) && mayTouch(step, path),
  )
  const isGone = directory === undefined ? after.kind === 'absent' : directory.change === 'gone'
  // A directory's time is that of its last change, which may come after the deletion (sem.A13).
  if (isGone && (unseen === undefined || isExplained)) {
    if (!isExplained) return doubtful(authorBetween(witnesses, path, { from, to: at }))
    return authorBetween(witnesses, path, { from, to: changedAt, soon: SOON_EXPLAINED })
  }
  if (unseen !== undefined) return unsure(unseen, unseen.why)
  const before = earlier.at(-1)
  const isNew = (sighting.bornAt ?? Number.NEGATIVE_INFINITY) > (before?.ended ?? 0) + LATE
  if (before === undefined || isNew || directory !== undefined) return outside()
  return unsure(before, 'it changed again after a command, before Retake scanned')
}

/**
 * A file that is created this soon after a step is unsure. The shell itself never is so late: it
 * stamps its end after its last write, and one clock stamps both (200 of 200 steps with a load of 16
 * on two cores). But a process that it left behind may be, for which there is no bound, and
 * a user hardly creates a file this soon.
 */
const LATE = 50

/** The hook requests the scan first and gets its timestamp a moment later. */
const ASKED_BEFORE = 1500

const UNSEEN = 'Retake did not scan right before the command, so your own change may be in it'

/** Without a scan right before the step, its change may hide an earlier one by the user. */
function mayHideEdit(
  { asked, began }: RanStep,
  { bornAt }: Pick<Sighting, 'bornAt'>,
  from: number,
): boolean {
  if (asked === undefined || from >= asked - ASKED_BEFORE) return false
  return bornAt === undefined || bornAt < began - TICK
}

/** If the scan follows a command this soon, the user did not save the file in between. */
const SOON = 500
/**
 * Longer if a known write explains the directory's later change: little doubt is left (sem.A13).
 */
const SOON_EXPLAINED = 5000

/** Determines the author by which steps ran in the interval. */
export function authorBetween(
  witnesses: Witnesses,
  path: ProjectPath,
  { from, to, soon = SOON }: { from: number; to: number; soon?: number },
): Author {
  const { unseen } = witnesses
  const running = stepsSince(witnesses).filter((step) => ran(step, from, to))
  const hidden = unseen.filter((step) => ran(step, from, to) && mayTouch(step, path))
  const turns = new Set([...running, ...hidden].map(({ turn }) => turn))
  if (turns.size === 0) return outside()
  const last = running.at(-1) ?? hidden.at(-1)!
  if (turns.size === 1 && hidden.length === 0) {
    if (running.some((step) => mayHideEdit(step, {}, from))) return unsure(last, UNSEEN)
    if (last.ended + soon >= to) return shellAuthor(last)
    return unsure(last, 'it may have changed after the command, before Retake scanned')
  }
  if (turns.size === 1) return unsure(last, hidden.at(-1)!.why)
  const evidence = 'commands of more than one turn ran'
  return { kind: 'unsure', evidence, ...oneOf([...hidden, ...running], path) }
}

/**
 * Picks one of several possible turns: the only one whose command names the file, else the last.
 */
function oneOf(
  steps: readonly RanStep[],
  path: ProjectPath,
): { id: TurnId; sharedWith: readonly TurnId[] } {
  const naming = new Set(steps.filter((step) => names(step, path)).map(({ turn }) => turn))
  const id = naming.size === 1 ? [...naming][0]! : steps.at(-1)!.turn
  return { id, sharedWith: [...new Set(steps.map(({ turn }) => turn))].filter((turn) => turn !== id) } // prettier-ignore
}

/** Whether the step's command contains the file's name. */
export function names({ command }: Pick<RanStep, 'command'>, path: string): boolean {
  return command?.includes(path.slice(path.lastIndexOf('/') + 1)) === true
}

function stepsSince({ steps, since = Number.NEGATIVE_INFINITY }: Witnesses): readonly RanStep[] {
  return steps.filter(({ ended }) => ended >= since)
}

/**
 * The step of a file that seems older than the last scan, which did not see it. Steps and files are
 * stamped by one clock, so the times need no tolerance but for fractions of a millisecond, which
 * not all sources of times have.
 */
function stepAt({ steps }: Witnesses, at: number): RanStep | null {
  return steps.findLast(({ began, ended }) => began - 1 <= at && at <= ended + 1) ?? null
}

function ran({ began, ended }: RanStep, from: number, to: number): boolean {
  return ended + TICK >= from && began - TICK <= to
}

function mayTouch({ path }: UnseenStep, touched: ProjectPath): boolean {
  return path === undefined || path === touched
}

function outside(): Author {
  return { kind: 'outside', id: null, evidence: 'no step was running' }
}

function unsure({ turn }: RanStep, evidence: string): Author {
  return { kind: 'unsure', id: turn, evidence }
}

function doubtful(author: Author): Author {
  if (author.kind !== 'turn') return author
  return { ...author, kind: 'unsure', evidence: 'its directory changed again after the command' }
}

function shellAuthor({ tool, turn }: RanStep): Author {
  return { kind: 'turn', id: turn, evidence: `shell ${tool}` }
}
