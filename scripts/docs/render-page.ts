import { dirname, posix } from 'node:path'
import { createElement, isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { createHighlighter } from 'shiki'
import { type Page, slugOf, urlOf } from './read-pages.ts'

const LANGUAGES = { console: 'shellsession', sh: 'sh', js: 'js', ts: 'ts', json: 'json' } as const
const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }
const highlighter = await createHighlighter({
  themes: Object.values(themes),
  langs: Object.values(LANGUAGES),
})
/** Pictures and comments are the only HTML in the documents. */
const HTML = /(<picture>[\s\S]*?<\/picture>|<!--[\s\S]*?-->)/

/** The content of a page as HTML. Links lead to the pages of the site. */
export function renderPage({ file, text }: Page, listed: ReadonlySet<string>): string {
  const link = (href: string | undefined): string | undefined => {
    if (href === undefined || /^(#|https?:|mailto:)/.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const to = posix.join(dirname(file), path)
    const url = listed.has(to) ? `${to.replace(/\/$/, '')}/index.html` : urlOf(to)
    const relative = posix.relative(dirname(file), url)
    return anchor === undefined ? relative : `${relative}#${anchor}`
  }
  const components: Components = {
    ...Object.fromEntries((['h1', 'h2', 'h3', 'h4'] as const).map((tag) => [tag, heading(tag)])),
    a: ({ href, children }) => createElement('a', { href: link(href) }, children),
    table: ({ children }) =>
      createElement(
        'div',
        { className: 'table', tabIndex: 0 },
        createElement('table', null, children),
      ),
    pre: ({ children }) => block(children),
  }
  return text
    .split(HTML)
    .map((part) => {
      if (part.startsWith('<!--')) return ''
      if (part.startsWith('<picture>')) return part
      const element = createElement(Markdown, {
        remarkPlugins: [remarkGfm],
        components,
        children: part,
      })
      return renderToStaticMarkup(element)
    })
    .join('\n')
}

function heading(tag: 'h1' | 'h2' | 'h3' | 'h4') {
  return ({ children }: { readonly children?: ReactNode }) => {
    const id = slugOf(textOf(children))
    const anchor = createElement('a', { className: 'anchor', href: `#${id}`, 'aria-label': 'Link to this section' }, '#') // prettier-ignore
    return createElement(tag, { id }, children, tag === 'h1' ? null : anchor)
  }
}

function block(children: ReactNode): ReactNode {
  const props = isValidElement<{ className?: string; children?: ReactNode }>(children)
    ? children.props
    : {}
  const code = textOf(props.children).replace(/\n$/, '')
  const name = props.className?.replace('language-', '') ?? 'text'
  const lang = name in LANGUAGES ? LANGUAGES[name as keyof typeof LANGUAGES] : 'text'
  const html = highlighter.codeToHtml(code, { lang, themes, defaultColor: 'light-dark()' })
  return createElement('div', { className: 'code', dangerouslySetInnerHTML: { __html: html } })
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return textOf(node.props.children)
  return typeof node === 'string' || typeof node === 'number' ? String(node) : ''
}
