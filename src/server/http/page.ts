import { fileURLToPath } from 'node:url'
import { readSmallFile, statPath } from '#disk'

/**
 * A file of the page, which every client may load because it holds no data. Vite builds the page
 * into `dist/web`. The page itself routes the addresses of sessions (`/s/ID`) and screens, so all
 * of them return one document.
 */
export interface PageFile {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer> | string
  /** Its name changes with its content, so it can be cached for good. */
  readonly immutable: boolean
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
const ASSET = /^\/assets\/([\w-][\w.-]*)\.(js|css|svg|woff2)$/
const SESSION = /^\/s\/[\w-]{1,80}$/
/** The page's own addresses besides those of sessions. */
export const screens = [
  '/new',
  '/operations',
  '/compare',
  '/graph',
  '/files',
  '/checkpoints',
  '/stash',
  '/settings',
  '/limits',
]
const HTML = 'text/html; charset=utf-8'
const MAX_BYTES = 16 * 1024 * 1024

/** Whether a client without a token may read this path. */
export function isPagePath(path: string): boolean {
  return isDocument(path) || path === '/icon.svg' || path === '/page.css' || ASSET.test(path)
}

function isDocument(path: string): boolean {
  return path === '/' || SESSION.test(path) || screens.includes(path)
}

/**
 * Null if there is no such file. Only names of one form reach the disk, so none leads out of the
 * page's directory.
 */
export function readPage(path: string): PageFile | null {
  if (path === '/page.css') return { type: TYPES['css']!, body: css, immutable: false }
  const shell = isDocument(path)
  const name = shell ? '/index.html' : path
  const bytes = readBuilt(name)
  if (bytes === null) return shell ? { type: HTML, body: notBuilt, immutable: false } : null
  const type = shell ? HTML : TYPES[name.slice(name.lastIndexOf('.') + 1)]!
  return { type, body: bytes, immutable: ASSET.test(path) }
}

function readBuilt(name: string): Uint8Array<ArrayBuffer> | null {
  const directory = pageDirectory()
  const bytes = directory === null ? null : readSmallFile(`${directory}${name}`, MAX_BYTES)
  return bytes === null ? null : new Uint8Array(bytes)
}

/** In the bundle, it is next to the entry or above the chunks. */
function pageDirectory(): string | null {
  const places = import.meta.url.endsWith('.ts') ? ['../../../dist/web'] : ['./web', '../web']
  const found = places.map((at) => fileURLToPath(new URL(at, import.meta.url)))
  return found.find((path) => statPath(path) !== null) ?? null
}

const notBuilt = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Retake</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>Retake</h1>
<p>The page is not built here. In a clone, run <code>npm run build</code>, or start with <code>npm start</code>.</p>
<p class="quiet"><a href="/docs">The API</a></p>
</main>
</body>
</html>
`

/** For pages that Vite does not build: the API docs, and the text above. */
const css = `:root { color-scheme: light dark; --back: #fbfaf8; --text: #22201d; --quiet: #6b655d; --line: #e4dfd7; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --back: #191817; --text: #ece8e1; --quiet: #a39c92; --line: #35322e; --link: #7db8f5 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.6rem; margin: 0 0 .75rem } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
a { color: var(--link) }
code, pre { font: .9em ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 6px }
ul { list-style: none; padding: 0 } li { padding: .5rem 0; border-top: 1px solid var(--line) }
.quiet { color: var(--quiet); font-size: .9rem }
`
