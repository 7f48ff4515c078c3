import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The ids that the names of tests cite: `[W6] …`, `[U7][W21] …`. */
function citedIds(): Set<string> {
  const cited = new Set<string>()
  for (const folder of ['src', 'test'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, folder, name), 'utf8')
      for (const [names] of text.matchAll(/['"`](?:\[[\w.§ –-]+\]\s?)+/g))
        for (const [, id] of names.matchAll(/\[(\w+)\]/g)) cited.add(id!)
    }
  return cited
}

test('every requirement is cited by the name of a test that proves it', () => {
  const listed = readFileSync(join(root, 'test/fixtures/requirements.txt'), 'utf8')
    .trim()
    .split('\n')
  const cited = citedIds()
  expect(listed).toHaveLength(67)
  expect(listed.filter((id) => !cited.has(id))).toEqual([])
})
