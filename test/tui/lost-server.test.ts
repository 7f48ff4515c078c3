import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMachine } from '#engine'
import { readEnvironment } from '../../src/cli/environment.ts'
import { openServerBackend } from '../../src/cli/tui/server-backend.ts'
import { writeServerRecord } from '../../src/engine/ground/server-record.ts'
import { scene } from '../scene.ts'

/** Answers `stop` requests on one connection once, as if it then closed the idle connection. */
async function openServer() {
  const used = new Set<Socket>()
  let ends = false
  const server = createServer((request, response) => {
    if (request.url === '/api/events') response.writeHead(200).flushHeaders()
    else if (ends || used.has(request.socket)) request.socket.destroy()
    else response.end('{}')
    used.add(request.socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    end: () => (ends = true),
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('[W20] the TUI uses no connection that the server may have closed, and says when the server is gone', async () => {
  await using s = await scene()
  const { places } = readEnvironment({ ...s.env }, {})
  using machine = openMachine(
    { ...places, cwd: s.project },
    { now: () => new Date(), newId: () => crypto.randomUUID() },
  )
  using server = await openServer()
  const url = `http://127.0.0.1:${server.port}`
  writeServerRecord(machine.disk, machine.places.runtime, {
    schema: 'retake.server/1',
    url,
    port: server.port,
    token: 'token',
    pid: process.pid,
  })
  await using backend = await openServerBackend(machine, () => {})
  for (let i = 0; i < 5; i++) {
    await backend!.stop('a')
    // Until then the client would not use the connection again anyway.
    await setTimeout(20)
  }
  server.end()
  await expect(backend!.stop('a')).rejects.toMatchObject({
    code: 'server-gone',
    message: 'The server did not answer.',
  })
})
