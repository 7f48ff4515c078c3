import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { searchEntries } from '../../scripts/docs/search-index.ts'
import { root } from './document.ts'

test('[W21] the site: every link, picture and search result leads to a file, every anchor to a heading', async () => {
  await using s = await scene()
  const site = join(s.root, 'site')
  const built = await s.run(process.execPath, [join(root, 'scripts/build-docs.ts'), site])
  expect(built).toMatchObject({ code: 0, stderr: '' })
  const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith('.html'))
  expect(names.length).toBeGreaterThan(35)
  const pages = new Map<string, string>()
  for (const name of names) pages.set(join(site, name), await readFile(join(site, name), 'utf8'))
  const check = (from: string, link: string): void => {
    if (/^(https?|mailto):/.test(link)) return
    const [path = '', anchor] = link.split('#')
    const to = path === '' ? from : join(dirname(from), path)
    expect(existsSync(to), `${from} → ${link}`).toBe(true)
    if (anchor !== undefined) expect(pages.get(to), `${from} → ${link}`).toContain(`id="${anchor}"`)
  }
  for (const [from, html] of pages)
    for (const [, link] of html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)) check(from, link!)
  const index = await readFile(join(site, 'search-index.js'), 'utf8')
  const entries = JSON.parse(index.replace(/^[^[]*/, '')) as { url: string }[]
  expect(entries.length).toBeGreaterThan(150)
  for (const { url } of entries) check(join(site, 'index.html'), url)
})

test('search entries have no list dashes, picture signs or table rules, and the changelog comes last', () => {
  const page = (file: string, text: string) => ({
    file,
    url: file.replace('.md', '.html'),
    title: 'Undo',
    text: `# Undo\n\n${text}`,
    anchors: [],
  })
  const markdown =
    'Two ways:\n\n- `undo --all`\n  - [redo](redo.md)\n\n> A note.\n\n![A page!](p.png)\n\n' +
    '| key | act |\n| :-- | --: |\n| - | a-b |\n'
  const log = page('CHANGELOG.md', '- Undo')
  const [first, last] = searchEntries([log, page('docs/undo.md', markdown)])
  expect(first).toMatchObject({
    url: 'docs/undo.html',
    text: 'Two ways: undo --all redo A note. A page! key act - a-b',
  })
  expect(last).toMatchObject({ url: 'CHANGELOG.html', text: 'Undo' })
})
