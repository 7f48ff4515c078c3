import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { durableDisk } from '#disk'
import { projectPathsThen } from '../../src/engine/witness/project-path-then.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'retake-then-')))
const root = join(top, 'project')
const project = { path: root, store: { disk: durableDisk } }

beforeAll(() => {
  mkdirSync(join(root, 'real/deep'), { recursive: true })
  mkdirSync(join(root, 'was-link'))
  symlinkSync('project', join(top, 'alias'))
  symlinkSync('real', join(root, 'now-link'))
  symlinkSync('now-link', join(root, 'to-link'))
  symlinkSync('real/deep', join(root, 'steady'))
})
afterAll(() => rmSync(top, { recursive: true }))

/** At time 100 `now-link` appears, `was-link` and `gone` disappear. */
function pathAt(path: string, at: number): string | null {
  const then: Record<string, string | null> = {
    'now-link': null,
    'was-link': 'real',
    gone: '../project/real/deep',
    out: '/elsewhere',
    a: 'b',
    b: 'a',
  }
  return projectPathsThen(project, (link, when) => (when < 100 ? then[link] : undefined))(path, at)
}

test('[sem.A11] an edit applies to the path as it was resolved then, whatever links came later', () => {
  const expected: [string, string | null, string | null][] = [
    ['now-link/f', 'now-link/f', 'real/f'],
    ['now-link/deep/f', 'now-link/deep/f', 'real/deep/f'],
    ['to-link/f', 'now-link/f', 'real/f'],
    ['was-link/f', 'real/f', 'was-link/f'],
    ['was-link/deep/f', 'real/deep/f', 'was-link/deep/f'],
    ['gone/f', 'real/deep/f', 'gone/f'],
    ['steady/f', 'real/deep/f', 'real/deep/f'],
    ['real/new/f', 'real/new/f', 'real/new/f'],
    ['out/f', null, 'out/f'],
    ['a/f', null, 'a/f'],
    ['now-link', 'now-link', 'now-link'],
  ]
  for (const [path, then, now] of expected)
    for (const project of [root, join(top, 'alias')]) {
      expect([path, pathAt(`${project}/${path}`, 50)]).toEqual([path, then])
      expect([path, pathAt(`${project}/${path}`, 150)]).toEqual([path, now])
    }
  expect(pathAt(join(top, 'elsewhere/f'), 50)).toBeNull()
  expect(pathAt('f', 50)).toBeNull()
})
