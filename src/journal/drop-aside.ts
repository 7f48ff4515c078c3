import { nameBytes, nameText, readOwnFile, removeIfThere } from '#disk'
import { contentIdOf, type Store } from '#store'
import type { ContentId } from '#timeline'
import { QUARANTINE } from './clean.ts'

/**
 * Removes old files that lie aside for programs that may still save into them, if they hold one of
 * these contents: what is erased must not be found there. One that was saved into has other bytes.
 */
export function dropAside(store: Store, contents: ReadonlySet<ContentId>): void {
  const directory = `${store.directory}/${QUARANTINE}`
  if (store.disk.stat(nameBytes(directory)) === null) return
  for (const name of store.disk.list(nameBytes(directory))) {
    const path = `${directory}/${nameText(name)}`
    if (store.disk.stat(nameBytes(path))?.kind !== 'file') continue
    const bytes = readOwnFile(store.disk, path)
    if (bytes !== null && contents.has(contentIdOf(bytes)))
      removeIfThere(store.disk, nameBytes(path))
  }
}
