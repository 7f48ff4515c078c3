import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pictureFiles } from '../web/pictures.ts'
import { documents, root } from './document.ts'

test('[W21] docs/pictures holds the pictures that `npm run screenshots` takes, and no other', () => {
  const there = readdirSync(join(root, 'docs/pictures')).filter((name) => name.endsWith('.png'))
  expect(there.toSorted()).toEqual(pictureFiles().toSorted())
})

test('[W21] every picture that a document shows exists', () => {
  const shown = documents().flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
      ([, path]) => join(root, name, '..', path!),
    ),
  )
  expect(shown.filter((path) => !existsSync(path))).toEqual([])
  expect(shown.length).toBeGreaterThan(10)
})
