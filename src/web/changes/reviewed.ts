import { useMemo } from 'react'
import { create } from 'zustand'

/** The changes of a session that the user keeps. Stored in this browser. */
export interface Reviewed {
  has(key: string): boolean
  add(keys: readonly string[]): void
  remove(keys: readonly string[]): void
}

const PREFIX = 'retake.reviewed.'
/** Keys name a change as it was: those of old ones are of no use for long. */
const MOST = 2000

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
        // The browser's storage is full or off: it then lives as long as the page.
      }
    }
    return {
      has: (key) => known.has(key),
      add: (more) => put([...new Set([...known, ...more])].slice(-MOST)),
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
