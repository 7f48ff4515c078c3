import { execFileSync } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRow, type Row, type RowEntry } from '#disk'
import { closeProject, observe, type Project } from '../../src/snapshots/observe.ts'
import { gitTree, valuesOf, watched } from './observed.ts'
import { act, perform } from './random-acts.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'

const acts = fc.array(act, { minLength: 1, maxLength: 12 })

/** Every row of the last observation, without the marks for another check. */
function rowsOf({
  table,
}: Project): Map<string, { self: Row['self']; entries: [string, RowEntry][] }> {
  return new Map(
    [...table!.rows].map(([path, bytes]) => {
      const { self, entries } = decodeRow(bytes)
      const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
      return [path, { self, entries: sorted.map(([name, entry]) => [name, entry]) }]
    }),
  )
}

test('[sem.K3] a first scan that trusts git sees exactly what one that reads every file sees', () => {
  // By this clock nothing changed recently enough to need another check.
  const now = (): number => Date.now() + 60_000
  const settings = { configs: [], attributes: [] }
  fc.assert(
    fc.property(acts, acts, fc.boolean(), (before, after, hasNested) => {
      using w = watched({ now })
      using other = watched({ now })
      const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: w.path }
      const git = (...args: string[]): unknown =>
        execFileSync('git', args, { cwd: w.path, env, stdio: 'ignore' })
      git('init', '--quiet')
      // If everything is ignored, `git add` makes no index.
      git('read-tree', '--empty')
      for (const path of ['a/b/a', 'a/b/c.txt', 'a/c.txt', 'b/a', 'b/b/b'])
        perform(w.path, { kind: 'write', path, content: 'one\n', other: path, rules: '' })
      for (const step of before) perform(w.path, step)
      git('add', '--all')
      utimesSync(join(w.path, '.git/index'), new Date(now()), new Date(now()))
      for (const step of after) perform(w.path, step)
      if (hasNested) perform(w.path, { ...after[0]!, kind: 'write', path: 'a/b/.git/HEAD' })

      const believing = { ...w.project, gitSettings: settings }
      const reading = { ...other.project, root: w.project.root }
      const seen = observe(believing)
      closeProject(believing)
      expect(seen.tree).toBe(observe(reading).tree)
      if (!hasNested) expect(seen.tree).toBe(gitTree(w.path, valuesOf(believing).keys()))
      expect(rowsOf(believing)).toEqual(rowsOf(reading))
      // And the same from the store.
      const again = observe({ ...believing, table: null, gitSettings: settings })
      expect(again).toMatchObject({ changed: new Map(), entered: new Map(), tree: seen.tree })
    }),
    { numRuns: numRuns(20) },
  )
})
