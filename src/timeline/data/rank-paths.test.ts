import { expect, test } from 'vitest'
import { rankPaths } from './rank-paths.ts'

test('[composer] files for an @ are ranked: equal name, prefix, substring, letters in order', () => {
  const paths = [
    'src/',
    'README.md',
    'src/app.ts',
    'src/map-app.ts',
    'src/app/index.ts',
    'src/apparel/x.ts',
    'lib/a/p/p.ts',
    'wrap/pen.ts',
  ]
  expect(rankPaths(paths, 'APP', 10)).toEqual([
    'src/app.ts',
    'src/app/index.ts',
    'src/apparel/x.ts',
    'src/map-app.ts',
    'wrap/pen.ts',
    'lib/a/p/p.ts',
  ])
  expect(rankPaths(paths, 'src', 2)).toEqual(['src/', 'src/app.ts'])
  expect(rankPaths(paths, 'src/app.ts', 1)).toEqual(['src/app.ts'])
  expect(rankPaths(paths, '', 2)).toEqual(['src/', 'README.md'])
  expect(rankPaths(paths, 'zz', 5)).toEqual([])
})

test('[composer] 100,000 paths are ranked between two key presses', () => {
  const paths = Array.from({ length: 100_000 }, (_, n) => `src/part-${n % 400}/file-${n}.ts`)
  const began = performance.now()
  expect(rankPaths(paths, 'file-99999', 20)).toEqual(['src/part-399/file-99999.ts'])
  expect(rankPaths(paths, 'f', 20)).toHaveLength(20)
  expect(performance.now() - began).toBeLessThan(1000)
})
