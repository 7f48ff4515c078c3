import { create } from 'zustand'
import { Failure } from '#failure'
import { openClient, type Client } from '#protocol'

/** Whether the server is reachable and accepts this page. */
interface Connection {
  readonly state: 'connecting' | 'up' | 'down' | 'unauthorised'
  readonly token: string | null
  readonly client: Client
}

export const useConnection = create<Connection>(() => ({
  state: 'connecting',
  token: null,
  client: openClient({ origin: '', token: null }),
}))

/** `renew` gets a new token for this browser, or null. */
export function connectWith(token: string, renew: () => Promise<string | null>): void {
  const fetch = fetchRenewing(renew)
  useConnection.setState({ token, client: openClient({ origin: '', token, fetch }) })
}

/** Signs in again after a 401: a restarted server does not know the old token. */
function fetchRenewing(renew: () => Promise<string | null>): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.status !== 401) return answer
    const token = await renew().catch(() => null)
    if (token === null) return answer
    connectWith(token, renew)
    const headers = new Headers(init?.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
}

export function client(): Client {
  return useConnection.getState().client
}

export function setConnection(state: Connection['state']): void {
  if (useConnection.getState().state !== state) useConnection.setState({ state })
}

/**
 * Whether requests can be made: also before the first event connection, or what a user presses
 * right after a reload would do nothing.
 */
export function useIsUp(): boolean {
  return useConnection(({ state }) => state === 'up' || state === 'connecting')
}

/** Turns any error into a Failure. `fetch` throws a TypeError if the server is unreachable. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof TypeError)
    return new Failure('server-unreachable', 'Lost connection to Retake.', {
      hint: 'Run `retake` in a terminal; this page reconnects automatically.',
      cause: error,
    })
  return new Failure('page-failed', 'The page failed in an unexpected way.', {
    hint: 'Reload the page. Nothing on disk was changed.',
    cause: error,
  })
}
