/** One sabotage of the sources, which the tests it names must notice. */
export interface PlantedBug {
  readonly id: string
  /** What it breaks, in a sentence. */
  readonly breaks: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** The smallest that turn red. */
  readonly tests: readonly string[]
  /** Where one test of a long file is enough: a part of its name. */
  readonly named?: string
  /** For one that hangs: how many seconds are waited for it. */
  readonly patience?: number
}
