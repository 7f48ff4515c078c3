import type { NewLink, Sighting } from '#store'
import type { ProjectPath, TurnId } from '#timeline'

/** Who may have written without recording it, and when. */
export interface Witnesses {
  /** Steps with the times at which they really ran. */
  readonly steps: readonly RanStep[]
  /** Steps that ran sometime between these times. What happened then may be theirs (sem.A3). */
  readonly dark: readonly DarkStep[]
}

export interface RanStep {
  readonly tool: string
  readonly turn: TurnId
  readonly began: number
  readonly ended: number
  readonly command?: string
  /** When the hook before it asked for a look; not told where nobody had to ask. */
  readonly asked?: number
}

export interface DarkStep extends RanStep {
  /** Why it is not certain, for people. */
  readonly why: string
  /** Set if it can have written to this path alone. */
  readonly path?: ProjectPath
}

export type Author = NewLink['author'] & {
  evidence: string
  /** Other turns that may have made the change. */
  sharedWith?: readonly TurnId[]
}

/** Stamps and files are timed by one clock, which ticks every few milliseconds. */
export const TICK = 12

/**
 * A look notes whole milliseconds. A step with an earlier end had ended when the look began, so the
 * look saw all of it. A whole tick here would blame it for what the user saves much later.
 */
const CUT_OFF = 1

export interface SeenWhen {
  /** When the chain of the path was last known to be whole. */
  readonly from?: number
  /** A known write explains why the directory of a deleted file changed after the deletion. */
  readonly isExplained?: boolean
}

/** By the time the file itself, or the directory it went from, was last changed. */
export function authorAt(
  witnesses: Witnesses,
  sighting: Sighting,
  { from = sighting.since, isExplained = false }: SeenWhen = {},
): Author {
  const { changedAt, at, after, directory, path } = sighting
  if (changedAt === null) return authorBetween(witnesses, path, { from, to: at })
  const running = witnesses.steps.filter((step) => ran(step, changedAt, changedAt))
  const last = running.at(-1)
  const turns = new Set(running.map(({ turn }) => turn))
  const earlier = witnesses.steps.filter(
    (step) => step.ended >= from + CUT_OFF && step.began - TICK <= changedAt,
  )
  if (last !== undefined) {
    // Only the last change left its time: an earlier one may be in what was seen, too.
    const others = earlier.some(({ turn }) => turn !== last.turn)
    if (turns.size > 1 || (others && directory === undefined)) {
      const all = directory === undefined ? [...earlier, ...running] : running
      return { kind: 'shared', evidence: 'commands of more than one turn ran then', ...oneOf(all, path) } // prettier-ignore
    }
    // A directory that came then holds nothing of an earlier change.
    const isMade = directory?.change === 'made'
    if (!isMade && mayHideEdit(last, sighting, from)) return unsure(last, UNSEEN)
    return shellAuthor(last)
  }
  const dark = witnesses.dark.find(
    (step) => ran(step, changedAt, changedAt) && mayTouch(step, path),
  )
  const isGone = directory === undefined ? after.kind === 'absent' : directory.change === 'gone'
  // A directory's time tells only of the last change in it: another may have come after (sem.A13).
  if (isGone && (dark === undefined || isExplained)) {
    if (!isExplained) return doubtful(authorBetween(witnesses, path, { from, to: at }))
    return authorBetween(witnesses, path, { from, to: changedAt, soon: SOON_EXPLAINED })
  }
  if (dark !== undefined) return unsure(dark, dark.why)
  const before = earlier.at(-1)
  const isNew = (sighting.bornAt ?? Number.NEGATIVE_INFINITY) > (before?.ended ?? 0) + TICK
  if (before === undefined || isNew || directory !== undefined) return outside()
  return unsure(before, 'it changed again after a command, before Retake looked')
}

/** A hook asks for the look first, and is timed a moment later. */
const ASKED_BEFORE = 1500

const UNSEEN = 'Retake did not look right before the command, so your own change may be in it'

/** Without a look right before the step, somebody's change may lie under the step's. */
function mayHideEdit(
  { asked, began }: RanStep,
  { bornAt }: Pick<Sighting, 'bornAt'>,
  from: number,
): boolean {
  if (asked === undefined || from >= asked - ASKED_BEFORE) return false
  return bornAt === undefined || bornAt < began - TICK
}

/** Nobody saves a file so soon after a command that Retake did not look in between. */
const SOON = 500
/** What came after the command is known: a look that was late leaves little to doubt (sem.A13). */
const SOON_EXPLAINED = 5000

/** By what ran at all in the time between. */
export function authorBetween(
  { steps, dark }: Witnesses,
  path: ProjectPath,
  { from, to, soon = SOON }: { from: number; to: number; soon?: number },
): Author {
  const running = steps.filter((step) => ran(step, from, to))
  const hidden = dark.filter((step) => ran(step, from, to) && mayTouch(step, path))
  const turns = new Set([...running, ...hidden].map(({ turn }) => turn))
  if (turns.size === 0) return outside()
  const last = running.at(-1) ?? hidden.at(-1)!
  if (turns.size === 1 && hidden.length === 0) {
    if (running.some((step) => mayHideEdit(step, {}, from))) return unsure(last, UNSEEN)
    if (last.ended + soon >= to) return shellAuthor(last)
    return unsure(last, 'it may have changed after the command, before Retake looked')
  }
  if (turns.size === 1) return unsure(last, hidden.at(-1)!.why)
  const evidence = 'commands of more than one turn ran'
  return { kind: 'unsure', evidence, ...oneOf([...hidden, ...running], path) }
}

/** Whose a change is said to be that several turns may have made: of the only one that names the file. */
function oneOf(
  steps: readonly RanStep[],
  path: ProjectPath,
): { id: TurnId; sharedWith: readonly TurnId[] } {
  const naming = new Set(steps.filter((step) => names(step, path)).map(({ turn }) => turn))
  const id = naming.size === 1 ? [...naming][0]! : steps.at(-1)!.turn
  return { id, sharedWith: [...new Set(steps.map(({ turn }) => turn))].filter((turn) => turn !== id) } // prettier-ignore
}

/** Whether the step's command has the file's name in it. */
export function names({ command }: RanStep, path: string): boolean {
  return command?.includes(path.slice(path.lastIndexOf('/') + 1)) === true
}

function ran({ began, ended }: RanStep, from: number, to: number): boolean {
  return ended + TICK >= from && began - TICK <= to
}

function mayTouch({ path }: DarkStep, touched: ProjectPath): boolean {
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
