/** `npm run docs`: builds the manual as a static site into site/. Stops at a broken link. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layout, menuOf } from './docs/layout.ts'
import { readSite, urlOf } from './docs/read-pages.ts'
import { renderPage } from './docs/render-page.ts'
import { searchEntries } from './docs/search-index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = process.argv[2] ?? join(root, 'site')
const { pages, files } = readSite(root)
const menu = menuOf(pages.get('docs/README.md')!)
const listed = new Set([...pages.keys()].filter((file) => !file.endsWith('.md')))

rmSync(out, { recursive: true, force: true })
for (const page of pages.values()) write(page.url, layout(page, menu, renderPage(page, listed)))
for (const file of files) copy(file, urlOf(file))
// For users: pages about the sources would come first for many words.
const manual = [...pages.values()].filter(({ file }) => /^(docs\/|README|CHANGELOG)/.test(file))
const index = JSON.stringify(searchEntries(manual))
write('search-index.js', `globalThis.searchIndex = ${index}\n`)
copy('scripts/docs/style.css', 'style.css')
copy('scripts/docs/search.js', 'search.js')
copy('src/web/public/icon.svg', 'icon.svg')
console.log(`${pages.size} pages and ${files.size} files in ${out}`)

function write(url: string, text: string): void {
  mkdirSync(dirname(join(out, url)), { recursive: true })
  writeFileSync(join(out, url), text)
}

function copy(from: string, url: string): void {
  cpSync(join(root, from), join(out, url), { recursive: true })
}
