import { pathToFileURL } from 'node:url'
import { lstatPath } from '#disk'
import { openDatabase, type Database } from './database.ts'

/** Reading can do without the index; a change waits as long as the agent itself does. */
const TIMEOUT_MS = { read: 1000, write: 5000 }

/**
 * Opens a database of another program. Without a write-ahead log nothing has it open, and reading it
 * as immutable creates no files next to it.
 */
export function openForeign(
  path: string,
  { writes = false }: { writes?: boolean } = {},
): Database & Disposable {
  const hasLog = (lstatPath(`${path}-wal`)?.size ?? 0n) > 0n
  const place = hasLog || writes ? path : immutable(path)
  const database = openDatabase(place, {
    readOnly: !writes,
    timeout: TIMEOUT_MS[writes ? 'write' : 'read'],
  })
  return {
    ...database,
    [Symbol.dispose]: () => {
      if (database.connection.isOpen) database.connection.close()
    },
  }
}

function immutable(path: string): URL {
  const url = pathToFileURL(path)
  url.search = '?immutable=1'
  return url
}
