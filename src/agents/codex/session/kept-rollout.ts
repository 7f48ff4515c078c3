import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { one, run, type Cache } from '#store'
import type { Rollout } from '../rows/index.ts'

/** Below this size, reading a file again is faster than loading and storing its outline. */
const MIN_KEPT = 512 * 1024
/** An outline is stored again only after the file grew by this part. */
const GROWTH = 8

/** The outline of a large rollout from the cache; null if there is none, or a damaged one. */
export function loadRollout(cache: Cache | null, path: string): Rollout | null {
  return (
    cache?.attempt((database) => {
      const row = one(database, 'select sum, data from rollouts where path = ?', path)
      const data = row?.['data'] as Uint8Array | undefined
      if (data === undefined || crc32(data) !== Number(row!['sum'])) return null
      try {
        return { path, ...(deserialize(data) as Omit<Rollout, 'path'>) }
      } catch {
        return null
      }
    }) ?? null
  )
}

export function keepRollout(cache: Cache | null, rollout: Rollout, known: Rollout | null): void {
  const { path, ...rest } = rollout
  if (cache === null || rollout.end < MIN_KEPT) return
  if (known !== null && rollout.end - known.end < known.end / GROWTH) return
  const data = serialize(rest)
  cache.attempt((database) =>
    run(database, 'insert or replace into rollouts values (?, ?, ?)', path, crc32(data), data),
  )
}
