import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlantedBug } from './bug.ts'
import { plant, repository } from './tree.ts'

/** Finds outdated entries: a bug without its code or tests would prove nothing. */
export function findStale(bugs: readonly PlantedBug[]): string[] {
  const ids = bugs.map(({ id }) => id)
  const twice = ids.filter((id, n) => ids.indexOf(id) !== n).map((id) => `${id}: listed twice`)
  return [...twice, ...bugs.flatMap(staleIn)]
}

function staleIn(bug: PlantedBug): string[] {
  const { id, file, tests, named } = bug
  const problems: string[] = []
  try {
    const text = readFileSync(join(repository, file), 'utf8')
    if (plant(text, bug) === text) problems.push(`${id}: changes nothing in ${file}`)
  } catch (error) {
    problems.push(`${id}: ${(error as Error).message}`)
  }
  if (tests.length === 0) problems.push(`${id}: names no test`)
  // The text after the colon comes from a table of cases.
  const name = named?.split(': ')[0] ?? ''
  for (const test of tests)
    if (!existsSync(join(repository, test))) problems.push(`${id}: ${test} does not exist`)
    else if (!readFileSync(join(repository, test), 'utf8').includes(name))
      problems.push(`${id}: ${test} has no test “${name}”`)
  return problems
}
