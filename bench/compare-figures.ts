import type { Figure } from './measured.ts'

/** The commit to compare with, and these sources. */
export type Side = 'before' | 'after'

export interface Compared {
  readonly bench: string
  readonly what: string
  readonly unit: string
  readonly before: number
  readonly after: number
  /** 0.1 for a value that grew by a tenth. */
  readonly change: number
  readonly verdict: 'worse' | 'better' | ''
}

/** Smaller changes say nothing, even if all rounds agree. */
const MIN_CHANGE = 0.1

/** A figure got worse if every round did, quartiles and all, and by a tenth at least. */
export function compareFigures(
  bench: string,
  measured: Readonly<Record<Side, readonly (readonly Figure[])[]>>,
): Compared[] {
  const [first = []] = measured.after
  return first.flatMap(({ what, unit, goal }): Compared[] => {
    const old = rangesOf(measured.before, what)
    const fresh = rangesOf(measured.after, what)
    // Figures of one side only.
    if (old.length === 0 || fresh.length === 0) return []
    const [before, after] = [meanOf(old), meanOf(fresh)]
    const change = before === 0 ? Math.sign(after) : after / before - 1
    const isAbove = (some: readonly Range[], others: readonly Range[]): boolean =>
      Math.min(...some.map(({ low }) => low)) > Math.max(...others.map(({ high }) => high))
    const isMore = isAbove(fresh, old)
    const isClear = Math.abs(change) >= MIN_CHANGE && (isMore || isAbove(old, fresh))
    const verdict = isClear ? (isMore === 'most' in goal ? 'worse' : 'better') : ''
    return [{ bench, what, unit, before, after, change, verdict }]
  })
}

interface Range {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The value of each round, with the share by which Retake's quartiles differ from the median. */
function rangesOf(rounds: readonly (readonly Figure[])[], what: string): Range[] {
  return rounds.flatMap((figures): Range[] => {
    const figure = figures.find((each) => each.what === what)
    const value = figure?.value ?? null
    if (figure === undefined || value === null) return []
    const { ours } = figure
    if (ours === undefined || 'failed' in ours) return [{ value, low: value, high: value }]
    const [low, high] = [ours.low / ours.median, ours.high / ours.median]
    return 'most' in figure.goal
      ? [{ value, low: value * low, high: value * high }]
      : [{ value, low: value / high, high: value / low }]
  })
}

function meanOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { value }) => sum + value, 0) / ranges.length
}
