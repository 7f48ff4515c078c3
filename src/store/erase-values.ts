import type { ContentId } from '#timeline'

/** The reason given for a content that the user purged. */
export const PURGED = 'it was purged'

const PURGED_VALUE = { kind: 'unknown', why: PURGED }

/** Replaces these contents in a record by unknown. Never by absent: undo would delete the file. */
export function withoutContents(text: string, contents: ReadonlySet<ContentId>): string {
  return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
    const { kind, content } = (value ?? {}) as Record<string, unknown>
    return kind === 'file' && contents.has(content as ContentId) ? PURGED_VALUE : value
  })
}
