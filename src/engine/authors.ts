import type { NewLink, Sighting } from '#store'
import type { TurnId } from '#timeline'

/** When somebody may have written unseen. */
export interface Witnesses {
  /** Steps with the times at which they really ran. */
  readonly steps: readonly RanStep[]
  /**
   * Steps that the agent wrote down and no hook told of, which ran sometime between these times,
   * and those that go on behind. What happened then may be theirs (sem.A3).
   */
  readonly dark: readonly RanStep[]
}

export interface RanStep {
  readonly tool: string
  readonly turn: TurnId
  readonly began: number
  readonly ended: number
}

export type Author = NewLink['author'] & { evidence: string }

/** Stamps and files are timed by one clock, which ticks every few milliseconds. */
const TICK = 12

/**
 * By the time the file itself, or the directory it went from, was last changed. `from` is when
 * the chain of the path was last known to be whole.
 */
export function authorAt(witnesses: Witnesses, sighting: Sighting, from = sighting.since): Author {
  const { changedAt, at, after, directory } = sighting
  if (changedAt === null) return authorBetween(witnesses, from, at)
  const running = witnesses.steps.filter((step) => ran(step, changedAt, changedAt))
  const last = running.at(-1)
  const turns = new Set(running.map(({ turn }) => turn))
  const earlier = witnesses.steps.filter((step) => ran(step, from, changedAt))
  if (last !== undefined) {
    // Only the last change left its time: an earlier one may be in what was seen, too.
    const others = earlier.some(({ turn }) => turn !== last.turn)
    if (turns.size > 1 || (others && directory === undefined))
      return { kind: 'shared', id: last.turn, evidence: 'steps of several turns ran' }
    return shellAuthor(last)
  }
  const dark = witnesses.dark.find((step) => ran(step, changedAt, changedAt))
  if (dark !== undefined) return unsure(dark, 'a step may have been running')
  const isGone = directory === undefined ? after.kind === 'absent' : directory.change === 'gone'
  // A directory's time tells only of the last change in it: another may have come after.
  if (isGone) return doubtful(authorBetween(witnesses, from, at))
  const before = earlier.at(-1)
  const isNew = (sighting.bornAt ?? Number.NEGATIVE_INFINITY) > (before?.ended ?? 0) + TICK
  if (before === undefined || isNew || directory !== undefined) return outside()
  return unsure(before, 'a step ran, and somebody wrote after it, before anybody looked')
}

/** By what ran at all in the time between: exact only if nothing did. */
export function authorBetween({ steps, dark }: Witnesses, from: number, to: number): Author {
  const running = steps.filter((step) => ran(step, from, to))
  const hidden = dark.filter((step) => ran(step, from, to))
  const turns = new Set([...running, ...hidden].map(({ turn }) => turn))
  if (turns.size === 0) return outside()
  if (turns.size === 1 && hidden.length === 0) return shellAuthor(running.at(-1)!)
  const last = running.at(-1) ?? hidden.at(-1)!
  return unsure(last, turns.size > 1 ? 'steps of several turns ran' : 'nobody told when it ran')
}

function ran({ began, ended }: RanStep, from: number, to: number): boolean {
  return ended + TICK >= from && began - TICK <= to
}

function outside(): Author {
  return { kind: 'outside', id: null, evidence: 'no step was running' }
}

function unsure({ turn }: RanStep, evidence: string): Author {
  return { kind: 'unsure', id: turn, evidence }
}

function doubtful(author: Author): Author {
  return author.kind === 'turn' ? { ...author, kind: 'unsure' } : author
}

function shellAuthor({ tool, turn }: RanStep): Author {
  return { kind: 'turn', id: turn, evidence: `shell ${tool}` }
}
