/** What benches give and reports are made of: plain data, as it stands in docs/reports/bench.json. */

/** Milliseconds: the median, the quartiles around it, and of how many rounds. */
export type Times =
  | {
      readonly median: number
      readonly low: number
      readonly high: number
      readonly rounds: number
    }
  | { readonly failed: string }

/** The goal; null for figures without one. */
export type Goal = {
  /** The reason if the goal is missed; shown only then. */
  readonly why?: string
} & ({ readonly most: number | null } | { readonly least: number | null })

export interface Figure {
  readonly what: string
  /** Null when it could not be measured. */
  readonly value: number | null
  readonly unit: string
  readonly goal: Goal
  readonly ours?: Times
  /** What ours is compared with. */
  readonly other?: Times
  /** More that belongs to it, in words. */
  readonly note?: string
}

export interface Point {
  readonly at: number
  readonly median: number
  readonly low: number
  readonly high: number
  readonly rounds: number
}

export interface Line {
  readonly who: string
  readonly isOurs: boolean
  readonly points: readonly Point[]
}

/** How something grows with the size of what it works on. */
export interface Curve {
  /** Identifies the curve. */
  readonly name: string
  readonly what: string
  /** What grows: `files`, `MB`, `branches`. */
  readonly over: string
  readonly unit: 'ms' | 'MB'
  readonly lines: readonly Line[]
}

/** What one bench has measured. */
export interface Measured {
  readonly figures: readonly Figure[]
  readonly curves?: readonly Curve[]
}

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGB: number
  readonly system: string
  readonly fileSystem: string
}

/** One bench in the report, with when and where it was run. */
export interface BenchRun extends Measured {
  /** When the run began that it is part of. */
  readonly run: string
  readonly seconds: number
  /** Of the last minute, before it began: what else the machine had to do. */
  readonly load: number
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  /** Why there are no figures. */
  readonly failed?: string
}

export interface BenchReport {
  readonly schema: 'retake.bench/1'
  readonly benches: Readonly<Record<string, BenchRun>>
}

/** Null where there is nothing to reach, or nothing was measured. */
export function isReached({ value, goal }: Figure): boolean | null {
  const bound = 'most' in goal ? goal.most : goal.least
  if (value === null || bound === null) return null
  return 'most' in goal ? value <= bound : value >= bound
}
