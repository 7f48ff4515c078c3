import { createHash } from 'node:crypto'

/** One name for everything that must be the same: two plans with the same name do the same. */
export function fingerprint(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
