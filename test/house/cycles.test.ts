import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Which file imports which, including type imports, which the linter does not count. */
function readImports(): Map<string, string[]> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test(ing)?\.tsx?$/.test(path),
  )
  const known = new Set(files)
  return new Map(
    files.map((path) => {
      const text = readFileSync(join(source, path), 'utf8')
      const found = [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
      const imported = found.map(([, to]) => join(dirname(path), to!))
      return [path, imported.filter((to) => known.has(to))]
    }),
  )
}

/** Removes files that import nothing that is left, until only cycles and their importers remain. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map([...imports].map(([path, to]) => [path, new Set(to)]))
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const [path, to] of left) {
      for (const other of to) if (!left.has(other)) to.delete(other)
      if (to.size === 0) left.delete(path)
    }
  }
  return [...left.keys()]
}

test('no source file is in an import cycle', () => {
  const imports = readImports()
  expect(imports.size).toBeGreaterThan(500)
  expect(findCycles(imports)).toEqual([])
  const planted = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
    ['d', []],
  ])
  expect(findCycles(planted)).toEqual(['a', 'b', 'c'])
})
