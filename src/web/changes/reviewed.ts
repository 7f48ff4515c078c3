import { useMemo } from 'react'
import { create } from 'zustand'

/** Changes of a session that the user marked as kept. Stored in this browser. */
export interface Reviewed {
  has(key: string): boolean
  add(keys: readonly string[]): void
  remove(keys: readonly string[]): void
}

const PREFIX = 'retake.reviewed.'
/** A key stops matching when its change is edited, so old keys can be dropped. */
const MAX_REVIEWED = 2000

const useAll = create<{ keys: Readonly<Record<string, readonly string[]>> }>(() => ({ keys: {} }))

export function useReviewed(session: string): Reviewed {
  const keys = useAll(({ keys: all }) => all[session])
  return useMemo(() => {
    const known = new Set(keys ?? stored(session))
    const put = (next: readonly string[]): void => {
      useAll.setState(({ keys: all }) => ({ keys: { ...all, [session]: next } }))
      try {
        localStorage.setItem(PREFIX + session, JSON.stringify(next))
      } catch {
        // Storage is full or disabled: the marks last until the page closes.
      }
    }
    return {
      has: (key) => known.has(key),
      add: (more) => put([...new Set([...known, ...more])].slice(-MAX_REVIEWED)),
      remove: (gone) => put([...known].filter((key) => !gone.includes(key))),
    }
  }, [session, keys])
}

function stored(session: string): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PREFIX + session) ?? '[]')
    return Array.isArray(found) ? found.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}
