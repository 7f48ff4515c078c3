import type { DraftImage } from './read-image.ts'

/** IndexedDB, because images are too large for localStorage. */

const STORE = 'images'

/** Writes run in order: an older list must not overwrite a newer one. */
let writing: Promise<unknown> = Promise.resolve()

export function storeImages(session: string, images: readonly DraftImage[]): void {
  writing = writing
    .then(() =>
      inDatabase<unknown>('readwrite', (store) =>
        images.length === 0 ? store.delete(session) : store.put(images, session),
      ),
    )
    // Storage is disabled: the images last until the page closes.
    .catch(() => undefined)
}

export async function readStoredImages(session: string): Promise<readonly DraftImage[]> {
  try {
    const found: unknown = await inDatabase('readonly', (store) => store.get(session))
    return Array.isArray(found) ? (found as DraftImage[]) : []
  } catch {
    return []
  }
}

function inDatabase<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => { readonly result: T },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('retake-drafts', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
    opening.addEventListener('error', () => reject(opening.error!))
    opening.addEventListener('success', () => {
      const database = opening.result
      const transaction = database.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      // Wait for the commit: a reload before it loses the images.
      transaction.addEventListener('complete', () => {
        database.close()
        resolve(request.result)
      })
      transaction.addEventListener('abort', () => reject(transaction.error!))
    })
  })
}
