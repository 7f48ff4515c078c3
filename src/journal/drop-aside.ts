import { nameBytes, nameText, readOwnFile, removeIfExists } from '#disk'
import { contentIdOf, type Store } from '#store'
import type { ContentId } from '#timeline'
import { quarantinePath } from './quarantine.ts'

/**
 * Deletes quarantined old files that hold one of these contents, because erased content must not
 * survive there. A file that a program saved into has other bytes and stays.
 */
export function dropAside(store: Store, contents: ReadonlySet<ContentId>): void {
  const directory = quarantinePath(store)
  if (store.disk.stat(nameBytes(directory)) === null) return
  for (const name of store.disk.list(nameBytes(directory))) {
    const path = `${directory}/${nameText(name)}`
    if (store.disk.stat(nameBytes(path))?.kind !== 'file') continue
    const bytes = readOwnFile(store.disk, path)
    if (bytes !== null && contents.has(contentIdOf(bytes)))
      removeIfExists(store.disk, nameBytes(path))
  }
}
