/**
 * Reports at the end of a run which programs were missing and how many tests that skipped, whether
 * a passing test proves every requirement, and whether every id is explained.
 */
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { missingIn, type Need, NEEDS } from './needs-table.ts'
import { explainedIds, idsNamed, requirementIds } from './requirement-ids.ts'

export interface Ended {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending'
  readonly note: string | undefined
}

export class SuiteReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const ended = modules.flatMap((module) =>
      [...module.children.allTests()].map((test): Ended => {
        const result = test.result()
        const note = result.state === 'skipped' ? result.note : undefined
        return { name: test.name, state: result.state, note }
      }),
    )
    for (const line of missingLines(ended)) console.log(line)
    if (this.#vitest === undefined || !(await isWholeRun(this.#vitest, modules))) return
    const unproven = unprovenRequirements(ended, requirementIds())
    if (unproven.length > 0)
      fail(`No test that passed names these requirements: ${unproven.join(', ')}`)
    const unexplained = unexplainedIds(ended, explainedIds())
    if (unexplained.length > 0)
      fail(`Tests name ids that test/REQUIREMENTS.md does not explain: ${unexplained.join(', ')}`)
  }
}

/** One line per missing program: "zsh is missing: 2 tests skipped (apt-get install zsh)". */
export function missingLines(ended: readonly Ended[]): string[] {
  const counts = new Map<Need, number>()
  for (const { note } of ended)
    for (const need of missingIn(note)) counts.set(need, (counts.get(need) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([need, count]) => {
      const { package: name } = NEEDS[need]
      const remedy = name === null ? '' : ` (apt-get install ${name})`
      return `${need} is missing: ${count} ${count === 1 ? 'test' : 'tests'} skipped${remedy}`
    })
}

export function unprovenRequirements(ended: readonly Ended[], ids: readonly string[]): string[] {
  const passed = ended.filter(({ state }) => state === 'passed')
  const proven = new Set(passed.flatMap(({ name }) => idsNamed(name)))
  return ids.filter((id) => !proven.has(id))
}

export function unexplainedIds(ended: readonly Ended[], explained: readonly string[]): string[] {
  const known = new Set(explained)
  return [...new Set(ended.flatMap(({ name }) => idsNamed(name)))].filter((id) => !known.has(id))
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

/** Checks requirements only if no test was left out on purpose. */
async function isWholeRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  if (vitest.config.testNamePattern !== undefined || process.env['QUICK'] !== undefined)
    return false
  return modules.length === (await vitest.globTestSpecifications()).length
}
