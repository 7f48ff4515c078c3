import { create } from 'zustand'
import { Failure } from '#failure'
import { openClient, type Client } from '#protocol'

/** Whether the server can be reached, and whether it lets this page in. */
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

export function connectWith(token: string): void {
  useConnection.setState({ token, client: openClient({ origin: '', token }) })
}

export function client(): Client {
  return useConnection.getState().client
}

export function setConnection(state: Connection['state']): void {
  if (useConnection.getState().state !== state) useConnection.setState({ state })
}

export function useIsUp(): boolean {
  return useConnection(({ state }) => state === 'up')
}

/** What was thrown, as a Failure: `fetch` throws a TypeError when nobody is there. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof TypeError)
    return new Failure('server-unreachable', 'Retake is not there.', {
      hint: 'Run `retake` in a terminal; this page goes on by itself.',
      cause: error,
    })
  return new Failure('page-failed', 'The page failed in an unexpected way.', {
    hint: 'Reload it; nothing on the disk was touched by this.',
    cause: error,
  })
}
