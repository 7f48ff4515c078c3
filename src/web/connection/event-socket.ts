import type { EventView } from '#protocol'
import { client, useConnection } from './connection.ts'

/**
 * Follows the server's events until the connection ends. By a WebSocket: a browser opens only six
 * other connections to a server, for all tabs together, and each tab would keep one of them.
 */
export async function followEvents({
  after,
  onOpen,
  onEvent,
}: {
  /** The id of the last event received. */
  readonly after: string | undefined
  readonly onOpen: () => void
  readonly onEvent: (event: EventView) => void
}): Promise<void> {
  // A refused WebSocket does not say why. A request does, and it gets a new token if it must.
  await client().health({})
  const { token } = useConnection.getState()
  const address = new URL('/ws', location.href.replace(/^http/, 'ws'))
  if (after !== undefined) address.searchParams.set('after', after)
  const socket = new WebSocket(address, ['retake', token!])
  socket.addEventListener('open', onOpen)
  socket.addEventListener('message', ({ data }) => onEvent(JSON.parse(String(data)) as EventView))
  await new Promise((resolve) => socket.addEventListener('close', resolve))
}
