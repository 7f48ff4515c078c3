/**
 * Figures are ratios measured in one run on one machine, ours against a peer's command or a plain
 * limit, interleaved so that a busy moment hits both. They are printed, never asserted in tests.
 */
export interface Figure {
  readonly what: string
  readonly figure: string
  readonly goal: string
  readonly reached: boolean
}

/** Shown for comparison; nothing has to be reached. */
export const NO_GOAL = 'no goal'

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
}

export interface Way {
  /** Not measured. */
  readonly before?: () => unknown
  readonly act: () => unknown
  /** Not measured either. */
  readonly after?: () => unknown
}

/** Runs every way in turn, `rounds` times, and gives each one's median in milliseconds. */
export async function interleave<Name extends string>(
  rounds: number,
  ways: Record<Name, Way | (() => unknown)>,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[]
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round += 1)
    for (const name of names) {
      const way = ways[name]
      const { before, act, after }: Way = typeof way === 'function' ? { act: way } : way
      await before?.()
      const start = performance.now()
      await act()
      // The first round only warms up.
      if (round >= 0) times.get(name)!.push(performance.now() - start)
      await after?.()
    }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name)!)])) as Record<
    Name,
    number
  >
}

/** How many times as long as the other; `most` or `least` is the goal. */
export function ratio(
  what: string,
  ours: number,
  other: number,
  goal: { most: number } | { least: number },
): Figure {
  if ('most' in goal) {
    const times = ours / other
    return {
      what,
      figure: `${times.toFixed(1)}× (${ours.toFixed(1)} against ${other.toFixed(1)} ms)`,
      goal: `≤ ${goal.most}×`,
      reached: times <= goal.most,
    }
  }
  const times = other / ours
  return {
    what,
    figure: `${times.toFixed(1)}× as quick (${ours.toFixed(1)} against ${other.toFixed(1)} ms)`,
    goal: `≥ ${goal.least}×`,
    reached: times >= goal.least,
  }
}

export function limit(what: string, value: number, unit: string, most: number): Figure {
  return {
    what,
    figure: `${value.toFixed(1)} ${unit}`,
    goal: `≤ ${most} ${unit}`,
    reached: value <= most,
  }
}
