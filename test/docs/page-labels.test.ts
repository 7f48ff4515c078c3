import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocument, root } from './document.ts'

test('[W21] docs/page.md names buttons and menu entries as the page does', () => {
  const names = readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' })
  const page = names
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, 'src/web', name), 'utf8'))
    .join('\n')
  const text = readDocument('docs/page.md')
  const [, menu] = text.split(/^\| in the menu.*\n.*\n/m)
  const entries = menu!.split('\n\n')[0]!.matchAll(/^\| (.*?) *\|/gm)
  // The page assembles labels that contain a number.
  const buttons = text.matchAll(/(?<!\w)_([A-Z][^_\d]*)_(?!\w)/g)
  const labels = [...entries, ...buttons].map(([, label]) => label!)
  expect(labels.filter((label) => !page.includes(label))).toEqual([])
  expect(labels.length).toBeGreaterThan(20)
})
