import { createServer, type RequestListener, type Server } from 'node:http'
import { Failure, add, drop, remedy } from '#failure'

/** Disconnect slow senders before they add up. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  requireHostHeader: true,
  insecureHTTPParser: false,
} as const

const TRIES = 10

export interface Listening {
  readonly port: number
  readonly servers: readonly Server[]
}

/**
 * Listens only on the loopback addresses; no option changes that. Uses the same port on both,
 * because `localhost` may mean either, and another program could listen on the other one.
 */
export async function listen(
  wanted: number,
  onRequest: RequestListener,
  prepare: (server: Server) => void,
): Promise<Listening> {
  for (let tried = 1; ; tried++) {
    const first = await open('127.0.0.1', wanted, onRequest)
    if (typeof first === 'string') throw inUse(wanted, first)
    const { port } = first.address() as { port: number }
    const second = await open('::1', port, onRequest)
    // Without IPv6 there is no second address for another program to take.
    const isAlone = second === 'EADDRNOTAVAIL' || second === 'EAFNOSUPPORT'
    if (typeof second !== 'string' || isAlone) {
      const servers = typeof second === 'string' ? [first] : [first, second]
      for (const server of servers) prepare(server)
      return { port, servers }
    }
    first.close()
    if (wanted !== 0 || tried === TRIES) throw inUse(port, second)
  }
}

function open(host: string, port: number, onRequest: RequestListener): Promise<Server | string> {
  const server = createServer(LIMITS, onRequest)
  // Node ignores headers beyond this count.
  server.maxHeadersCount = 64
  server.maxRequestsPerSocket = 0
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? String(error)))
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => resolve(server))
  })
}

function inUse(port: number, errno: string): Failure {
  if (errno === 'EACCES')
    return new Failure('port-refused', `The system does not allow port ${port}.`, {
      hint: remedy`Choose a port above 1023, or ${drop('port')}.`,
    })
  return new Failure('port-in-use', `Port ${port} is taken (${errno}).`, {
    hint: remedy`${add('port', 'OTHER')}, or ${drop('port')}.`,
  })
}
