/**
 * Figures are ratios from one run on one machine: Retake against another program's command or a
 * plain limit, interleaved so that a busy moment affects both. They are reported, never asserted.
 */
import type { Figure, Goal, Line, Point, Times } from './measured.ts'

export function median(times: readonly number[]): number {
  return quantile(times, 0.5)
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}

/** The median, and the quartiles around it. */
export function spread(times: readonly number[]): Times {
  return {
    median: median(times),
    low: quantile(times, 0.25),
    high: quantile(times, 0.75),
    rounds: times.length,
  }
}

export interface Way {
  /** Setup, not measured. */
  readonly before?: () => unknown
  readonly act: () => unknown
  /** Cleanup, not measured. */
  readonly after?: () => unknown
  /** A duration that the function measured itself, instead of the clock around it. */
  readonly took?: () => number
  /** Another program's command: if it fails, the report says so and the others continue. */
  readonly isPeer?: boolean
  /** For slow ones: at most this many rounds, without a warm-up. */
  readonly atMost?: number
}

/**
 * Runs every function in turn, `rounds` times; the first round only warms up. Null entries are
 * skipped.
 */
export async function interleave<Name extends string>(
  rounds: number,
  ways: Record<Name, Way | (() => unknown) | null>,
): Promise<Record<Name, Times>> {
  const names = Object.keys(ways) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  const failed = new Map<Name, string>()
  for (let round = -1; round < rounds; round += 1)
    for (const name of names) {
      const way: Way | (() => unknown) | null = ways[name]
      if (way === null) failed.set(name, 'there is no way to do it')
      if (way === null || failed.has(name)) continue
      const { before, act, after, took, isPeer, atMost }: Way =
        typeof way === 'function' ? { act: way } : way
      if (atMost !== undefined && (round < 0 || times.get(name)!.length >= atMost)) continue
      try {
        await before?.()
        const start = performance.now()
        await act()
        const time = took?.() ?? performance.now() - start
        if (round >= 0) times.get(name)!.push(time)
        await after?.()
      } catch (error) {
        if (isPeer !== true) throw error
        const why = error instanceof Error ? error.message : String(error)
        failed.set(name, why.split('\n', 1)[0]!)
        tell(`${name} failed: ${why}`)
      }
    }
  const results = names.map((name) => {
    const why = failed.get(name)
    return [name, why === undefined ? spread(times.get(name)!) : { failed: why }]
  })
  return Object.fromEntries(results) as Record<Name, Times>
}

/** How many times as long as the other, or with `least` how many times as fast. */
export function ratio(what: string, ours: Times, other: Times, goal: Goal): Figure {
  const times =
    'failed' in ours || 'failed' in other
      ? null
      : 'most' in goal
        ? ours.median / other.median
        : other.median / ours.median
  return { what, value: times, unit: 'most' in goal ? '×' : '× as quick', goal, ours, other }
}

/** A figure without a comparison; null for no limit. */
export function limit(
  what: string,
  value: number | Times,
  unit: string,
  most: number | null,
): Figure {
  if (typeof value === 'number') return { what, value, unit, goal: { most } }
  return {
    what,
    value: 'failed' in value ? null : value.median,
    unit,
    goal: { most },
    ours: value,
  }
}

/** One point of a growth curve; none for a failed measurement. */
export function pointsAt(at: number, times: Times): Point[] {
  return 'failed' in times ? [] : [{ at, ...times }]
}

/** Joins the points of several sizes into curves. */
export function drawLines<Name extends string>(
  names: Readonly<Record<Name, string>>,
  ours: readonly Name[],
  measured: readonly (readonly [at: number, times: Readonly<Partial<Record<Name, Times>>>])[],
): Line[] {
  return (Object.keys(names) as Name[]).map((name) => ({
    who: names[name],
    isOurs: ours.includes(name),
    points: measured.flatMap(([at, times]) => {
      const found = times[name]
      return found === undefined ? [] : pointsAt(at, found)
    }),
  }))
}

const began = performance.now()

/** Prints progress. */
export function tell(text: string): void {
  const seconds = Math.round((performance.now() - began) / 1000)
  console.error(`  ${String(seconds).padStart(4)} s  ${text}`)
}
