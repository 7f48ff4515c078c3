import type { Readable, Writable } from 'node:stream'
import { Failure } from '#failure'
import { parseObject } from '../../parse-object.ts'

export type Params = Readonly<Record<string, unknown>>

/** What the other side may send. */
export interface Heard {
  notified(method: string, params: Params): void
  /** A request that waits until it is answered. */
  asked(id: RequestId, method: string, params: Params): void
}

export type RequestId = string | number

export interface Rpc {
  request(method: string, params: Params): Promise<Params>
  notify(method: string): void
  answer(id: RequestId, result: Params): void
  /** For requests that Retake does not know. */
  refuse(id: RequestId, message: string): void
  /** Settles when the other side has closed its output. */
  readonly closed: Promise<void>
}

/** JSON-RPC as Codex's app server speaks it: one object per line, without a version field. */
export function openRpc(
  { input, output }: { input: Writable; output: Readable },
  heard: Heard,
): Rpc {
  const waiting = new Map<number, PromiseWithResolvers<Params>>()
  const closed = Promise.withResolvers<void>()
  let next = 1
  let isOver = false
  const send = (message: Params): void => {
    if (!isOver && input.writable) input.write(`${JSON.stringify(message)}\n`)
  }
  const take = (line: string): void => {
    const message = parseObject(line)
    if (message === null) return
    const { id, method, params, result, error } = message
    if (typeof method === 'string' && isId(id)) return heard.asked(id, method, objectOf(params))
    if (typeof method === 'string') return heard.notified(method, objectOf(params))
    const asked = typeof id === 'number' ? waiting.get(id) : undefined
    if (asked === undefined) return
    waiting.delete(id as number)
    if (error === undefined) return asked.resolve(objectOf(result))
    asked.reject(new Failure('turn-failed', wordsOf(error)))
  }
  const end = (): void => {
    isOver = true
    for (const { reject } of waiting.values())
      reject(new Failure('agent-died', 'Codex ended before it answered.'))
    waiting.clear()
    closed.resolve()
  }
  // A write to a process that has just ended is not a fault of its own.
  input.on('error', () => undefined)
  splitLines(output, take, end)
  return {
    closed: closed.promise,
    request(method, params) {
      const answer = Promise.withResolvers<Params>()
      // Whoever stops early does not wait for it.
      answer.promise.catch(() => undefined)
      if (isOver) answer.reject(new Failure('agent-died', 'Codex has ended.'))
      else {
        const id = next++
        waiting.set(id, answer)
        send({ id, method, params })
      }
      return answer.promise
    },
    notify: (method) => send({ method }),
    answer: (id, result) => send({ id, result }),
    refuse: (id, message) => send({ id, error: { code: -32601, message } }),
  }
}

/** A line may be tens of megabytes long, so its chunks are joined once. */
function splitLines(output: Readable, take: (line: string) => void, end: () => void): void {
  let parts: string[] = []
  output.setEncoding('utf8')
  output.on('data', (text: string) => {
    const lines = text.split('\n')
    parts.push(lines[0]!)
    if (lines.length === 1) return
    take(parts.join(''))
    for (const line of lines.slice(1, -1)) take(line)
    parts = [lines.at(-1)!]
  })
  output.once('close', end)
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

function wordsOf(error: unknown): string {
  const { message } = objectOf(error)
  return typeof message === 'string' ? message : 'Codex refused the request.'
}

export function objectOf(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {}
}
