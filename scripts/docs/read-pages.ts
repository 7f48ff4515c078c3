import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A document of the repository, and what of it the site needs. */
export interface Page {
  /** Relative to the repository, such as `docs/start.md`. */
  readonly file: string
  /** Relative to the site, such as `docs/start.html`. */
  readonly url: string
  readonly title: string
  readonly text: string
  readonly anchors: readonly string[]
}

export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  /** Files that pages link to or show, which are copied. */
  readonly files: ReadonlySet<string>
}

const LINK = /\]\(([^)\s#]*)(?:#([^)]*))?\)|(?:src|srcset)="([^"]+)"/g

/** Follows the links from README. Throws if one leads nowhere, or to a heading that is not there. */
export function readSite(root: string): Site {
  const pages = new Map<string, Page>()
  const files = new Set<string>()
  const anchored: { from: string; to: string; anchor: string }[] = []
  const open = ['README.md']
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (pages.has(file)) continue
    const page = readPage(root, file)
    pages.set(file, page)
    for (const { path, anchor } of linksIn(page)) {
      const to = path === '' ? file : posix.join(dirname(page.file), path)
      if (!existsSync(join(root, to))) throw new Error(`${file}: ${path} does not exist.`)
      if (isPage(root, to)) open.push(to)
      else files.add(to)
      if (anchor !== undefined) anchored.push({ from: file, to, anchor })
    }
  }
  for (const { from, to, anchor } of anchored)
    if (pages.get(to)?.anchors.includes(anchor) !== true)
      throw new Error(`${from}: ${to} has no heading #${anchor}.`)
  return { pages, files }
}

export function urlOf(file: string): string {
  if (file.endsWith('README.md')) return file.replace(/README\.md$/, 'index.html')
  if (file.endsWith('.md')) return file.replace(/\.md$/, '.html')
  return file === 'LICENSE' ? 'LICENSE.txt' : file
}

/** The name of a heading in a link, as on GitHub. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function isPage(root: string, file: string): boolean {
  return file.endsWith('.md') || statSync(join(root, file)).isDirectory()
}

/** Code blocks may contain what looks like a link or a heading. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '')
}

function linksIn({ text }: Page): { path: string; anchor: string | undefined }[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map(([, path, anchor, source]) => ({ path: path ?? source!, anchor }))
    .filter(({ path }) => !/^(https?|mailto):/.test(path))
}

function readPage(root: string, file: string): Page {
  const isDirectory = statSync(join(root, file)).isDirectory()
  const text = isDirectory ? listing(root, file) : readFileSync(join(root, file), 'utf8')
  const titles = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!)
  const url = isDirectory ? `${file.replace(/\/$/, '')}/index.html` : urlOf(file)
  const title = (titles[0] ?? file).replaceAll('`', '')
  return {
    file: isDirectory ? `${file}/README.md` : file,
    url,
    title,
    text,
    anchors: titles.map(slugOf),
  }
}

function listing(root: string, directory: string): string {
  const names = readdirSync(join(root, directory)).map((name) => `- [${name}](${name})`)
  return `# ${directory}\n\n${names.join('\n')}\n`
}
