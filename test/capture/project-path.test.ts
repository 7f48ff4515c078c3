import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectPaths, toProjectPath } from '../../src/engine/project/project-path.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'retake-paths-')))
const root = join(top, 'project')

beforeAll(() => {
  mkdirSync(join(root, 'real/deep'), { recursive: true })
  mkdirSync(join(top, 'elsewhere'))
  writeFileSync(join(root, 'real/deep/a.txt'), '')
  // Each of these is another path to an existing directory.
  symlinkSync('project', join(top, 'alias'))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('../link/deep', join(root, 'real/inner'))
  symlinkSync(root, join(root, 'loop'))
  symlinkSync('a.txt', join(root, 'real/deep/to-file'))
  symlinkSync('../elsewhere', join(root, 'out'))
  symlinkSync('nowhere', join(root, 'dangling'))
})
afterAll(() => rmSync(top, { recursive: true }))

const noise = fc.constantFrom('', './', '/', 'gone/../', 'link/../', './/')
const roots = fc.constantFrom(
  'project',
  'alias',
  'project/loop',
  'alias/loop/loop',
  'project/real/..',
)
const directories = fc.constantFrom(
  'real/deep',
  'link/deep',
  'real/inner',
  'link/inner',
  'loop/real/deep',
)
const names = fc.constantFrom('a.txt', 'to-file', 'new.txt', 'made/new.txt', 'with space', 'ä')

test('[sem.A11] all spellings of a file are one path, and a link at its end stays', () => {
  fc.assert(
    fc.property(
      roots,
      directories,
      names,
      fc.array(noise, { minLength: 3, maxLength: 3 }),
      (base, directory, name, n) => {
        const spelled = `${top}/${n[0]}${base}/${n[1]}${directory}/${n[2]}${name}`
        expect(toProjectPath(spelled, root)).toBe(`real/deep/${name}`)
        expect(toProjectPath(spelled, `${top}/alias`)).toBe(`real/deep/${name}`)
      },
    ),
    { numRuns: 200 },
  )
})

test('[sem.A11] a path outside is outside, however it is spelled', () => {
  const outside = [
    'elsewhere/a',
    'project/out/a',
    'project/../elsewhere/a',
    'project',
    'project-2/a',
    'alias/',
  ]
  for (const path of outside) expect(toProjectPath(`${top}/${path}`, root)).toBeNull()
  expect(toProjectPath('a.txt', root)).toBeNull()
  expect(toProjectPath(`${root}/a\0b`, root)).toBeNull()
  expect(toProjectPath(`${root}/dangling`, root)).toBe('dangling')
  expect(toProjectPath(`${root}/dangling/a`, root)).toBe('dangling/a')
})

test('[sem.A11] the project’s directory is resolved with the first path: turns without files cost nothing', () => {
  const moving = join(top, 'moving')
  symlinkSync('elsewhere', moving)
  const pathOf = projectPaths(moving)
  rmSync(moving)
  symlinkSync('project', moving)
  expect(pathOf(join(moving, 'real/deep/a.txt'))).toBe('real/deep/a.txt')
})
