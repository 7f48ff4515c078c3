import type { SQLOutputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** A checksum that covers the types and lengths of values: 1 and '1' differ. */
export function rowsum(...values: (SQLOutputValue | Uint8Array)[]): number {
  let sum = 0
  for (const value of values) {
    const bytes =
      value instanceof Uint8Array ? value : Buffer.from(value === null ? '' : String(value), 'utf8')
    sum = crc32(`${value === null ? 'n' : typeof value}${bytes.length}:`, sum)
    // In Node 22, an empty blob of SQLite would reset the sum: it has no address.
    if (bytes.length > 0) sum = crc32(bytes, sum)
  }
  return sum
}
