import { type Page, slugOf } from './read-pages.ts'

export interface SearchEntry {
  readonly url: string
  readonly page: string
  readonly title: string
  readonly text: string
}

/** One entry per section. */
export function searchEntries(pages: Iterable<Page>): SearchEntry[] {
  return [...pages].flatMap(({ url, title: page, text }) => {
    const fences = text.split(/^(```[\s\S]*?^```)/m)
    // A `#` line in a code block is no heading.
    const safe = fences.map((part, n) => (n % 2 === 1 ? part.replaceAll(/^#/gm, ' #') : part))
    return safe
      .join('')
      .split(/^(?=#+ )/m)
      .filter((section) => section.startsWith('#'))
      .map((section) => {
        const [, title = '', rest = ''] = /^#+ (.*)\n?([\s\S]*)$/.exec(section) ?? []
        const words = rest
          .replaceAll(/<[^>]*>|\]\([^)]*\)|[`*_|[\]]|-{3,}/g, ' ')
          .replaceAll(/\s+/g, ' ')
        const at = title === page ? url : `${url}#${slugOf(title)}`
        return { url: at, page, title: title.replaceAll('`', ''), text: words.trim() }
      })
  })
}
