import { Failure } from '#failure'
import type { Contents } from './contents.ts'
import type { ContentId, FileValue } from './value.ts'

/** In-memory contents for tests. Equal bytes have equal ids, as in the store. */
export function memoryContents(): Contents & { drop(id: ContentId): void } {
  const byKey = new Map<string, ContentId>()
  const byId = new Map<ContentId, Uint8Array>()
  return {
    bytes(id) {
      const bytes = byId.get(id)
      if (bytes === undefined) throw new Failure('content-missing', `${id} is not in memory.`)
      return bytes
    },
    has: (id) => byId.has(id),
    drop: (id) => byId.delete(id),
    add(bytes) {
      const key = latin1(bytes)
      const known = byKey.get(key)
      if (known !== undefined) return known
      const id = `content-${byId.size}` as ContentId
      byKey.set(key, id)
      byId.set(id, bytes)
      return id
    },
  }
}

/** One character per byte, so that tests can write and compare any bytes as strings. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}

export function fileOf(contents: Contents, text: string, mode = 0o644): FileValue {
  return { kind: 'file', content: contents.add(bytesOf(text)), mode }
}
