import { blobId } from '#disk'
import { getContent, hasContent, putContent, write, type Store } from '#store'
import type { ContentId, Contents } from '#timeline'

/**
 * Contents for a plan: those in the store, those read from the project, and those that the plan
 * makes. Nothing is written before `keep`, so that a dry run leaves no trace.
 */
export interface ProjectContents extends Contents {
  /** Stores those of the given contents that are new. */
  keep(store: Store, ids: Iterable<ContentId>): void
}

export function projectContents(store: Store): ProjectContents {
  const known = new Map<ContentId, Uint8Array>()
  const fresh = new Set<ContentId>()
  return {
    bytes(id) {
      const bytes = known.get(id) ?? getContent(store, id)
      known.set(id, bytes)
      return bytes
    },
    has: (id) => known.has(id) || hasContent(store, id),
    add(bytes) {
      const id = blobId(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as ContentId
      if (!known.has(id)) fresh.add(id)
      known.set(id, bytes)
      return id
    },
    keep(into, ids) {
      // In one transaction: each waits for the disk.
      write(into, () => {
        for (const id of ids) if (fresh.has(id)) putContent(into, known.get(id)!)
      })
    },
  }
}
