/**
 * What a run of the whole suite says at its end: which programs were missing and how many tests
 * that cost, and whether every requirement was proven by a test that passed.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { missingIn, type Need, NEEDS } from './needs-table.ts'

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
    if (unproven.length === 0) return
    console.error(`No test that passed names these requirements: ${unproven.join(', ')}`)
    process.exitCode = 1
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
  const proven = new Set(
    ended
      .filter(({ state }) => state === 'passed')
      .flatMap(({ name }) => [...name.matchAll(/\[([\w.]+)\]/g)].map(([, id]) => id)),
  )
  return ids.filter((id) => !proven.has(id))
}

function requirementIds(): string[] {
  const file = fileURLToPath(new URL('../fixtures/requirements.txt', import.meta.url))
  return readFileSync(file, 'utf8').trim().split('\n')
}

/** Requirements are judged only when nothing was left out on purpose. */
async function isWholeRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  if (vitest.config.testNamePattern !== undefined || process.env['QUICK'] !== undefined)
    return false
  return modules.length === (await vitest.globTestSpecifications()).length
}
