import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { keys, queries } from './queries.ts'
import { refreshSession, settled } from './refresh.ts'

afterEach(() => {
  vi.useRealTimers()
  queries.clear()
})

/** Counts how often the page would load each of these. */
async function watch(): Promise<Record<'tail' | 'status' | 'sessions', number>> {
  const loads = { tail: 0, status: 0, sessions: 0 }
  const log = { turns: [{ id: 't1' }], more: false }
  for (const [name, queryKey] of [
    ['tail', keys.tail('s')],
    ['status', keys.status('s')],
    ['sessions', keys.sessions],
  ] as const) {
    const queryFn = () => {
      loads[name] += 1
      return Promise.resolve(log)
    }
    new QueryObserver<unknown>(queries, { queryKey, queryFn }).subscribe(() => {})
  }
  await vi.advanceTimersByTimeAsync(100)
  return loads
}

test('[F11] all events of one operation load the session once', async () => {
  vi.useFakeTimers()
  const loads = await watch()
  expect(loads).toEqual({ tail: 1, status: 1, sessions: 1 })
  refreshSession('s', 'rows')
  refreshSession('s', 'everything')
  refreshSession('s', 'files')
  refreshSession('s', 'rows')
  const done = settled('s')
  await vi.advanceTimersByTimeAsync(100)
  await done
  expect(loads).toEqual({ tail: 2, status: 2, sessions: 2 })
  // A later event loads it again; changed files alone change no turn.
  refreshSession('s', 'rows')
  await vi.advanceTimersByTimeAsync(100)
  expect(loads).toEqual({ tail: 3, status: 3, sessions: 3 })
  refreshSession('s', 'files')
  await vi.advanceTimersByTimeAsync(100)
  expect(loads).toEqual({ tail: 3, status: 4, sessions: 3 })
})
