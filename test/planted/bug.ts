/** A deliberate bug in the sources, which its tests must catch. */
export interface PlantedBug {
  readonly id: string
  /** What it breaks, in a sentence. */
  readonly breaks: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The smallest test files that catch it. */
  readonly tests: readonly string[]
  /** Part of a test name, if one test of a long file is enough. */
  readonly named?: string
  /** For a bug that hangs: the timeout in seconds. */
  readonly seconds?: number
}
