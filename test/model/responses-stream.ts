import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResponsesBody } from './responses-body.ts'
import { itemsOf } from './responses-items.ts'
import type { Answer } from './script.ts'

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
}

/** Sends an answer like the Responses API, with the scripted trouble. */
export async function deliverResponse(
  response: ServerResponse,
  {
    answer,
    body,
    id,
    released,
  }: { answer: Answer; body: ResponsesBody; id: string; released: () => Promise<void> },
): Promise<void> {
  if (answer.delayMs !== undefined) await sleep(answer.delayMs)
  if (answer.hang === 'before') await released()
  if (response.destroyed) return
  if (answer.error !== undefined) {
    const { status, type = 'server_error', message = 'Scripted.' } = answer.error
    return answerJson(response, status, { error: { type, code: type, message } })
  }
  const output = itemsOf(answer.blocks, body, id)
  const whole = { id: `resp_${id}`, object: 'response', created_at: 1, model: body.model }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (type: string, event: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`)
  }
  send('response.created', { response: { ...whole, status: 'in_progress', output: [] } })
  for (const [output_index, item] of output.entries()) {
    if (answer.betweenMs !== undefined) await sleep(answer.betweenMs)
    send('response.output_item.added', { output_index, item })
    const [part] = (item['content'] ?? []) as readonly { readonly text: string }[]
    if (part !== undefined) {
      const at = { item_id: item['id'], output_index, content_index: 0 }
      send('response.output_text.delta', { ...at, delta: part.text })
    }
    send('response.output_item.done', { output_index, item })
  }
  if (answer.hang === 'after') await released()
  if (answer.broken === true) return void response.destroy()
  const usage = { ...USAGE, ...answer.usage }
  send('response.completed', { response: { ...whole, status: 'completed', output, usage } })
  response.end()
}

export function answerJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
