import type { ContentId } from '#timeline'

const GONE = { kind: 'unknown', why: 'it was purged' }

/** The record with every one of these contents made unknown: never absent, which would delete. */
export function withoutContents(text: string, contents: ReadonlySet<ContentId>): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    const { kind, content } = (value ?? {}) as Record<string, unknown>
    return kind === 'file' && contents.has(content as ContentId) ? GONE : value
  })
}
