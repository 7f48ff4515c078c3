import { type Page, slugOf } from './read-pages.ts'

export interface SearchEntry {
  readonly url: string
  readonly page: string
  readonly title: string
  readonly text: string
}

/**
 * One entry per section. Among equal hits, search shows the first: the changelog comes last, because
 * it mentions every feature and explains none.
 */
export function searchEntries(pages: Iterable<Page>): SearchEntry[] {
  const isChangelog = ({ file }: Page): number => Number(file === 'CHANGELOG.md')
  const ordered = [...pages].toSorted((a, b) => isChangelog(a) - isChangelog(b))
  return ordered.flatMap(({ url, title: page, text }) => {
    const fences = text.split(/^(```[\s\S]*?^```)/m)
    // A `#` line in a code block is no heading.
    const safe = fences.map((part, n) => (n % 2 === 1 ? part.replaceAll(/^#/gm, ' #') : part))
    return safe
      .join('')
      .split(/^(?=#+ )/m)
      .filter((section) => section.startsWith('#'))
      .map((section) => {
        const [, title = '', rest = ''] = /^#+ (.*)\n?([\s\S]*)$/.exec(section) ?? []
        const at = title === page ? url : `${url}#${slugOf(title)}`
        return { url: at, page, title: title.replaceAll('`', ''), text: wordsOf(rest) }
      })
  })
}

/** The text without markup: bullets, rules of tables, signs of pictures, tags and addresses. */
function wordsOf(markdown: string): string {
  return markdown
    .replaceAll(/^[ \t]*[-*+>][ \t]+|^[ \t|:-]+$/gm, '')
    .replaceAll(/!(?=\[)|<[^>]*>|\]\([^)]*\)|[`*_|[\]]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
