import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bugs } from './bugs/index.ts'
import { plant, repository } from './tree.ts'

test('[R16] every planted bug still has its place in the sources, and tests to notice it', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(60)
  expect(new Set(bugs.map(({ id }) => id)).size).toBe(bugs.length)
  for (const bug of bugs) {
    const text = readFileSync(join(repository, bug.file), 'utf8')
    expect(plant(text, bug)).not.toBe(text)
    expect(bug.tests.length).toBeGreaterThan(0)
    for (const file of bug.tests) {
      expect(existsSync(join(repository, file)), file).toBe(true)
      // What stands behind the colon comes from a table of cases.
      const name = bug.named?.split(': ')[0] ?? ''
      expect(readFileSync(join(repository, file), 'utf8')).toContain(name)
    }
  }
})
