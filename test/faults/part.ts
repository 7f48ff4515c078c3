import type { Random } from '../reader/random.ts'
import type { Point } from './point.ts'

/** One kind of fault, and how often it is tried. */
export interface Part {
  readonly name: string
  /** The goal it tests, such as `R1`. */
  readonly goal: string
  readonly fault: string
  /** Number of tries by default and with `--more`; null if the part tries everything. */
  readonly usual: number | null
  readonly more?: number
  /** Number of pieces; each can run alone, in another process, and again. */
  readonly pieces: number
  /** Why this machine cannot run it; null if it can. */
  readonly unable?: () => string | null
  try(task: Task): Promise<void> | void
}

/** One piece of a part. */
export interface Task {
  /** Number of tries, if the part takes a number. */
  readonly runs: number
  readonly piece: number
  readonly pieces: number
  readonly seed: number
  readonly random: Random
  /** Counts one try and whether it survived. */
  readonly point: Point
  /** Adds tries that were checked together and survived. */
  readonly survived: (count: number) => void
  /** A figure or a sentence for the report. */
  readonly note: (text: string) => void
}

/** The result of one piece. */
export interface PieceResult {
  readonly part: string
  readonly piece: number
  readonly pieces: number
  readonly seed: number
  readonly tried: number
  readonly survived: number
  readonly bytesLost: number
  readonly seconds: number
  readonly failures: readonly string[]
  readonly notes: readonly string[]
  readonly revision: string
  readonly at: string
}
