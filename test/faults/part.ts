import type { Random } from '../reader/random.ts'
import type { Point } from './point.ts'

/** One kind of fault, and how often it is tried. */
export interface Part {
  readonly name: string
  /** The goal that it is about, such as `R1`. */
  readonly goal: string
  readonly fault: string
  /** How often by default and with `--more`. Parts that try everything there is say so by null. */
  readonly usual: number | null
  readonly more?: number
  /** Each piece can be done alone, in another process, and again. */
  readonly pieces: number
  /** Why it cannot be tried on this machine. */
  readonly unable?: () => string | null
  try(task: Task): Promise<void> | void
}

/** One piece of a part. */
export interface Task {
  /** How many tries, as far as the part can be told. */
  readonly runs: number
  readonly piece: number
  readonly pieces: number
  readonly seed: number
  readonly random: Random
  /** Counts one try, and whether it was survived. */
  readonly point: Point
  /** So many tries that were judged together and survived. */
  readonly survived: (count: number) => void
  /** A figure or a sentence for the report. */
  readonly note: (text: string) => void
}

/** What became of one piece. */
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
