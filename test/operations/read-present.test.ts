import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { durableDisk, pinRoot } from '#disk'
import type { Contents, ProjectPath } from '#timeline'
import type { Project } from '../../src/engine/project/project.ts'
import { readNeighbours, readPresent } from '../../src/engine/project/read-present.ts'

const path = mkdtempSync(join(tmpdir(), 'retake-present-'))
afterAll(() => rmSync(path, { recursive: true }))

function put(...files: string[]): void {
  for (const file of files) {
    mkdirSync(join(path, file, '..'), { recursive: true })
    writeFileSync(join(path, file), '')
  }
}

const paths = (...all: string[]): ProjectPath[] => all as ProjectPath[]

test('[sem.A6] an unreadable file is unknown, with a hint; a disk error fails', () => {
  put('a')
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code })
  }
  const read = (code: string) => {
    const root = pinRoot({ ...durableDisk, openFile: failing(code) }, path)
    try {
      return readPresent({ root } as Project, 'a' as ProjectPath, {} as Contents)
    } finally {
      root.close()
    }
  }
  const why = expect.stringContaining('`chmod u+r` makes it readable')
  expect(read('EACCES')).toEqual({ kind: 'unknown', why })
  expect(read('EPERM')).toEqual({ kind: 'unknown', why })
  expect(() => read('EIO')).toThrow(expect.objectContaining({ code: 'disk-error' }))
})

test('[sem.M6] a planned path includes every file below it, and a repository as one', () => {
  put('app/.git/HEAD', 'app/deep/er/x', 'beside')
  const root = pinRoot(durableDisk, path)
  const found = readNeighbours({ root } as Project, paths('app', 'new/file'))
  root.close()
  expect(found.toSorted()).toEqual(['a', 'app/.git', 'app/deep/er/x', 'beside'])
})
