import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order in which test files start, longest first, so that no worker is still busy for a minute
 * when the others are done. Vitest alone knows durations only after a first run on the same
 * machine.
 */
const ORDER = [
  ['test/web/'],
  ['test/run/', 'test/live/', 'test/crash/die.', 'test/reader/resume-corpus.'],
  ['test/operations/', 'test/branches/', 'test/matrix/', 'test/capture/', 'test/server/run.'],
  ['test/'],
  ['src/'],
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = moduleId.slice(this.ctx.config.root.length + 1)
      return ORDER.findIndex((places) => places.some((place) => path.startsWith(place)))
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
