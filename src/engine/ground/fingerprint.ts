import { createHash } from 'node:crypto'

/** A hash of everything that must be equal: two plans with the same one do the same. */
export function fingerprint(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
