import type { ContentId } from '#timeline'

/** Why nobody knows a content that the user had deleted. */
export const PURGED = 'it was purged'

const GONE = { kind: 'unknown', why: PURGED }

/** The record with every one of these contents made unknown: never absent, which would delete. */
export function withoutContents(text: string, contents: ReadonlySet<ContentId>): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    const { kind, content } = (value ?? {}) as Record<string, unknown>
    return kind === 'file' && contents.has(content as ContentId) ? GONE : value
  })
}
