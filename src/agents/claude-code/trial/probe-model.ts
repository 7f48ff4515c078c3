import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Replaces the model: answers one word, and records the requests. */
export interface ProbeModel extends AsyncDisposable {
  readonly url: string
  /** The bodies of requests with the right key. */
  readonly asked: readonly unknown[]
}

/** Limits memory; the conversation of a probe is far smaller. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

export async function openProbeModel(key: string): Promise<ProbeModel> {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    const isAsked =
      request.method === 'POST' && new URL(request.url ?? '/', LOOPBACK).pathname === '/v1/messages'
    // Other programs on this machine can reach the port; ignore their requests.
    if (!isAsked || request.headers['x-api-key'] !== key) return end(response, 404)
    void receive(request, response)
  })
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    if (body === undefined) return end(response, 400)
    asked.push(body)
    answer(response, 'stream' in body && body.stream === true)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const LOOPBACK = 'http://127.0.0.1'

async function readBody(request: IncomingMessage): Promise<object | undefined> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part)
      if ((size += part.length) > MAX_BODY_BYTES) return undefined
    }
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
    return typeof body === 'object' && body !== null ? body : undefined
  } catch {
    return undefined
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end('{}')
}

const MESSAGE = {
  id: 'msg_probe',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}

function answer(response: ServerResponse, streamed: boolean): void {
  const text = 'ok'
  if (!streamed) {
    response.writeHead(200, { 'content-type': 'application/json' })
    const content = [{ type: 'text', text }]
    response.end(JSON.stringify({ ...MESSAGE, content, stop_reason: 'end_turn' }))
    return
  }
  const events = [
    { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )
}
