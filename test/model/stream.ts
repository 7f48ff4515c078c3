import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Block, ToolInput } from './blocks.ts'
import type { Answer } from './script.ts'

/** Everything needed to send one answer. */
export interface Delivery {
  readonly response: ServerResponse
  readonly answer: Answer
  readonly model: string
  readonly streamed: boolean
  readonly cwd: string | undefined
  /** Resolves when a hanging answer may continue. */
  readonly released: () => Promise<void>
}

/** Sends an answer like the Messages API, with the scripted trouble. */
export async function deliver(delivery: Delivery): Promise<void> {
  const { response, answer, released } = delivery
  if (answer.delayMs !== undefined) await sleep(answer.delayMs)
  if (answer.hang === 'before') await released()
  if (response.destroyed) return
  if (answer.error !== undefined) {
    const { status, type = errorTypes[status] ?? 'api_error', message = 'Scripted.' } = answer.error
    return sendJson(response, status, { type: 'error', error: { type, message } })
  }
  const content = answer.blocks.map((block) => toContent(block, delivery.cwd))
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: delivery.model,
    content,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      output_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...answer.usage,
    },
  }
  if (!delivery.streamed) {
    if (answer.broken === true) return void response.destroy()
    if (answer.hang === 'after') await released()
    return sendJson(response, 200, message)
  }
  await stream(delivery, message)
}

async function stream(
  { response, answer, released }: Delivery,
  message: { content: readonly WireContent[]; stop_reason: string; usage: object },
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': newId('req'),
  })
  const send = async (type: string, rest: object = {}): Promise<void> => {
    if (response.destroyed) return
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`)
    if (answer.betweenMs !== undefined) await sleep(answer.betweenMs)
  }
  await send('message_start', { message: { ...message, content: [], stop_reason: null } })
  for (const [index, content] of message.content.entries()) {
    const { start, deltas } = toDeltas(content)
    await send('content_block_start', { index, content_block: start })
    for (const delta of deltas) await send('content_block_delta', { index, delta })
    // If the connection breaks inside the last block, that block has no end.
    if (answer.broken === true && index === message.content.length - 1) break
    await send('content_block_stop', { index })
  }
  if (answer.broken === true) return void response.destroy()
  if (answer.hang === 'after') await released()
  const { stop_reason, usage } = message
  await send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
  await send('message_stop')
  if (!response.destroyed) response.end()
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') })
  response.end(JSON.stringify(value))
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

type WireContent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; id: string; name: string; input: ToolInput }

function toContent(block: Block, cwd: string | undefined): WireContent {
  if (block.kind === 'text') return { type: 'text', text: block.text }
  if (block.kind === 'thinking')
    return { type: 'thinking', thinking: block.thinking, signature: 'c2NyaXB0ZWQ=' }
  const input = withWholePaths(block.input, cwd)
  return { type: 'tool_use', id: newId('toolu'), name: block.name, input }
}

function toDeltas(content: WireContent): { start: object; deltas: object[] } {
  if (content.type === 'text')
    return {
      start: { type: 'text', text: '' },
      deltas: pieces(content.text).map((text) => ({ type: 'text_delta', text })),
    }
  if (content.type === 'thinking')
    return {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(content.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: content.signature },
      ],
    }
  const parts = pieces(JSON.stringify(content.input))
  return {
    start: { ...content, input: {} },
    deltas: parts.map((part) => ({ type: 'input_json_delta', partial_json: part })),
  }
}

/** In parts, because an agent must not rely on whole messages. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,40}/gu) ?? []
}

function withWholePaths(input: ToolInput, cwd: string | undefined): ToolInput {
  const whole = Object.entries(input).map(([name, value]) => {
    if (!name.endsWith('_path') || typeof value !== 'string' || isAbsolute(value))
      return [name, value]
    // A path with `./` is passed on unchanged.
    if (value.startsWith('./')) return [name, value]
    if (cwd === undefined)
      throw new Error(`The request names no working directory, so ${value} leads nowhere.`)
    return [name, join(cwd, value)]
  })
  return Object.fromEntries(whole) as ToolInput
}

function newId(kind: string): string {
  return `${kind}_01${randomBytes(11).toString('hex')}`
}
