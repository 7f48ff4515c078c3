import { posix } from 'node:path'
import type { Page } from './read-pages.ts'

export interface Group {
  readonly title: string
  readonly links: readonly { readonly url: string; readonly title: string }[]
}

/** The menu has the links of docs/README.md, under its headings. */
export function menuOf(manual: Page): Group[] {
  const links = (text: string) =>
    [...text.matchAll(/\[([^\]]+)\]\(([^)#]+)\.md\)/g)].map(([, title, path]) => ({
      title: title!,
      url: `docs/${path}.html`,
    }))
  const [intro = '', ...sections] = manual.text.split(/^## /m)
  const groups = sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')).replace('What do you want to do?', 'Tasks'),
    links: links(section),
  }))
  const first = [
    { url: 'index.html', title: 'Retake' },
    { url: 'docs/index.html', title: 'Manual' },
  ]
  const start = { title: 'Start', links: [...first, ...links(intro)] }
  const more = {
    title: 'Project',
    links: ['CHANGELOG', 'ARCHITECTURE', 'CONTRIBUTING', 'GLOSSARY', 'SECURITY'].map((name) => ({
      url: `${name}.html`,
      title: `${name.charAt(0)}${name.slice(1).toLowerCase()}`,
    })),
  }
  return [start, ...groups, more].filter((group) => group.links.length > 0)
}

export function layout(page: Page, menu: readonly Group[], content: string): string {
  const base = posix.relative(posix.dirname(page.url), '.') || '.'
  const groups = menu.map(({ title, links }) => {
    const items = links.map((link) => {
      const here = link.url === page.url ? ' aria-current="page"' : ''
      return `<li><a href="${base}/${link.url}"${here}>${escape(link.title)}</a></li>`
    })
    return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`
  })
  const title = page.url === 'index.html' ? 'Retake' : `${page.title} · Retake`
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="${base}/icon.svg">
<link rel="stylesheet" href="${base}/style.css">
<script src="${base}/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="${base}/index.html"><img src="${base}/icon.svg" alt="">Retake</a>
<div class="search" role="search">
<input type="search" placeholder="Search the manual" aria-label="Search the manual" aria-controls="results" autocomplete="off">
<ul id="results" hidden></ul>
</div>
</header>
<div class="columns">
<nav aria-label="Manual"><details open><summary>Contents</summary>${groups.join('')}</details></nav>
<main id="content">
${content}
</main>
</div>
</body>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
