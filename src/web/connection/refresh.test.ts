import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { keys, queries, type Log } from './queries.ts'
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

test('[F11] a new turn of a long session loads the newest turns, and all of them only now and then', async () => {
  vi.useFakeTimers()
  let last = 100
  let loads = 0
  let state = 'active'
  const log = (from: number) => {
    const numbers = Array.from({ length: last - from + 1 }, (_, at) => from + at)
    const turns = numbers.map((number) => ({ id: `t${number}`, number, state }))
    return { turns, more: from > 1 } as unknown as Log
  }
  const read = (queryKey: readonly unknown[], queryFn: () => Log) =>
    new QueryObserver<Log>(queries, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {})
  read(keys.tail('s'), () => log(last - 15))
  read(keys.whole('s'), () => {
    loads += 1
    return log(1)
  })
  await vi.advanceTimersByTimeAsync(100)
  const grow = async (turns: number): Promise<void> => {
    for (let n = 0; n < turns; n += 1) {
      last += 1
      refreshSession('s', 'rows')
      await vi.advanceTimersByTimeAsync(100)
    }
  }
  expect(loads).toBe(1)
  await grow(8)
  expect(loads).toBe(1)
  // Before the newest turns begin after the last one that is loaded.
  await grow(1)
  expect(loads).toBe(2)
  await grow(8)
  expect(loads).toBe(2)
  // A rewind by the agent changes turns that were loaded before.
  state = 'other'
  await grow(1)
  expect(loads).toBe(3)
})
