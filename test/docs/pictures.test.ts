import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './document.ts'

/** The pictures that `npm run screenshots` takes, by the names of their files. */
function taken(): string[] {
  const text = readFileSync(join(root, 'test/web/screenshots.ts'), 'utf8')
  const shots = [...text.matchAll(/shoot\(\s*'([\w-]+)',\s*(?:theme|'(light|dark)')/g)]
  return shots.flatMap(([, name, theme]) =>
    (theme === undefined ? ['light', 'dark'] : [theme]).map((each) => `${name}-${each}.png`),
  )
}

test('[W21] every picture in the documents is there, and each of a screen is made by `npm run screenshots`', () => {
  // Drawings of figures are made by others.
  const there = readdirSync(join(root, 'docs/pictures')).filter((name) => name.endsWith('.png'))
  expect(there.toSorted()).toEqual(taken().toSorted())
  const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  const named = documents
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const text = readFileSync(join(root, name), 'utf8')
      return [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path]) =>
        join(root, name, '..', path!),
      )
    })
  expect(named.filter((path) => !existsSync(path))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
})
