/** The data that benches return and reports show, as stored in docs/reports/bench.json. */

/** Milliseconds: the median, its quartiles, and the number of rounds. */
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
  /** Null if it could not be measured. */
  readonly value: number | null
  readonly unit: string
  readonly goal: Goal
  readonly ours?: Times
  /** What Retake is compared with. */
  readonly other?: Times
  /** Further details, in words. */
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

/** How a cost grows with the size of its input. */
export interface Curve {
  /** Identifies the curve. */
  readonly name: string
  readonly what: string
  /** The unit of the size: `files`, `MB`, `branches`. */
  readonly over: string
  readonly unit: 'ms' | 'MB'
  readonly lines: readonly Line[]
}

/** The result of one bench. */
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

/** One bench in the report, with its time and machine. */
export interface BenchRun extends Measured {
  /** When its run began. */
  readonly run: string
  readonly seconds: number
  /** The load average of the minute before it began. */
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

/** Null without a goal, or if nothing was measured. */
export function isReached({ value, goal }: Figure): boolean | null {
  const bound = 'most' in goal ? goal.most : goal.least
  if (value === null || bound === null) return null
  return 'most' in goal ? value <= bound : value >= bound
}
