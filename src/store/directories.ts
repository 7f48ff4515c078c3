import { directories } from './schema-seals.ts'
import { replaceSealed } from './seals.ts'
import type { Store } from './store.ts'

/** Keeps what was seen of one directory, in place of what was seen before. */
export function putDirectory({ database }: Store, path: Buffer, entries: Buffer): void {
  replaceSealed(database, directories, [path, entries])
}
