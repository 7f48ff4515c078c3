import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { follow, gitTree, readFresh, sorted, valuesOf, watched } from './observed.ts'
import type { ProjectPath } from '#timeline'
import { observe } from '../../src/snapshots/observe.ts'
import { act, perform } from './random-acts.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'

const round = fc.oneof(
  fc.array(act, { minLength: 1, maxLength: 10 }),
  fc.array(
    act.filter(({ kind }) => kind !== 'ignore'),
    { minLength: 1, maxLength: 10 },
  ),
)

/** Everything on disk, ignored or not. Node's own recursion would follow links. */
function everything(root: string, below = ''): Map<string, string> {
  return new Map(
    readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry): [string, string][] => {
      const path = join(below, entry.name)
      if (!entry.isDirectory()) return [[path, 'file']]
      return [[path, 'directory'], ...everything(root, path)]
    }),
  )
}

test('[sem.A1] after any acts, the changes that a scan reports are those that a full read finds', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 2, maxLength: 8 }), (rounds) => {
      using w = watched()
      const ignores = rounds.flat().some(({ kind }) => kind === 'ignore')
      for (const step of rounds[0]!) perform(w.path, step)
      observe(w.project)
      const model = valuesOf(w.project)
      const ever = new Set(model.keys()) as Set<ProjectPath>
      for (const round of rounds.slice(1)) {
        const there = everything(w.path)
        for (const step of round) perform(w.path, step)
        const seen = observe(w.project, { sticky: ever })
        for (const [path, { before }] of seen.changed)
          if (before.kind === 'absent') expect(there.get(path) ?? 'directory').toBe('directory')
        if (!ignores) expect(seen.entered.size).toBe(0)
        expect(follow(model, seen)).toEqual([])
        expect(sorted(model)).toEqual(sorted(readFresh(w.path, { sticky: ever })))
        for (const path of model.keys()) ever.add(path as ProjectPath)
        expect(sorted(valuesOf(w.project))).toEqual(sorted(model))
      }
      const again = observe(w.reopen(), { sticky: ever })
      expect(again).toMatchObject({ changed: new Map(), entered: new Map() })
    }),
    { numRuns: numRuns(40) },
  )
})

test('[E12] the tree id equals the one that git gives the same files', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 20 }), (acts) => {
      using w = watched()
      const half = acts.length >> 1
      for (const step of acts.slice(0, half)) perform(w.path, step)
      observe(w.project)
      for (const step of acts.slice(half)) perform(w.path, step)
      const { tree } = observe(w.project)
      expect(tree).toBe(gitTree(w.path, valuesOf(w.project).keys()))
    }),
    { numRuns: numRuns(20) },
  )
})
