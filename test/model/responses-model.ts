/**
 * The scripted model as an OpenAI provider: the streaming Responses API on a loopback port.
 *
 * ```ts
 * await using model = await responsesModel()
 * model.on('add a', [[addFile('a.txt', '1\n'), shell('npm test')], 'done'])
 * model.on('wait', [{ blocks: [shell('sleep 9')], hang: 'before' }])
 * // … run an agent with `base_url = "${model.url}/v1"` and `wire_api = "responses"` …
 * expect(model.userTexts()).toEqual(['add a'])
 * ```
 *
 * A script is a list of rounds, as in `scriptedModel`; a prompt without one is answered with "ok".
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askedBy, linesOf, userTextsOf, type ResponsesBody } from './responses-body.ts'
import { answerJson, deliverResponse } from './responses-stream.ts'
import { matches, Rule, type Answer, type Round } from './script.ts'

export interface ResponsesRequest {
  /** The last prompt. */
  readonly prompt: string
  readonly body: ResponsesBody
  readonly headers: IncomingMessage['headers']
}

export interface ResponsesModel extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly ResponsesRequest[]
  /** Scripts the answers to a prompt, one round per request. A newer script replaces an older. */
  on(prompt: string | RegExp, rounds: string | readonly Exclude<Round, () => unknown>[]): void
  /** The prompts that the nth request sent (default: the last). */
  userTexts(n?: number): string[]
  /** The conversation that the nth request sent, as lines. */
  conversation(n?: number): string[]
  /** Waits until `times` requests for this prompt have arrived. */
  seen(prompt: string | RegExp, times?: number): Promise<ResponsesRequest>
  /** Waits until an answer hangs. */
  hanging(): Promise<void>
  /** Releases all hanging answers. */
  release(): void
}

/** Longer than a busy machine needs to start the agent and play a turn. */
const PATIENCE_MS = 90_000

export async function responsesModel(): Promise<ResponsesModel> {
  const rules: Rule[] = []
  const requests: ResponsesRequest[] = []
  const watchers = new Set<() => void>()
  let released = Promise.withResolvers<void>()
  let hanging = 0

  const changed = (): void => watchers.forEach((watcher) => watcher())
  const until = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    const found = Promise.withResolvers<T>()
    const watcher = (): void => {
      const value = find()
      if (value !== undefined) found.resolve(value)
    }
    const timer = setTimeout(() => {
      const prompts = requests.map(({ prompt }) => prompt.slice(0, 100))
      found.reject(new Error(`${what} did not come. Requests so far:\n${prompts.join('\n')}`))
    }, PATIENCE_MS)
    watchers.add(watcher)
    watcher()
    try {
      return await found.promise
    } finally {
      watchers.delete(watcher)
      clearTimeout(timer)
    }
  }

  const answerTo = (body: ResponsesBody): Answer => {
    const { prompt, answered } = askedBy(body)
    const rule = rules.findLast((each) => each.matches(prompt))
    return rule?.answer(answered) ?? { blocks: [{ kind: 'text', text: 'ok' }] }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    const path = (incoming.url ?? '/').split('?')[0]!
    if (incoming.method === 'GET' && path.endsWith('/models'))
      return answerJson(response, 200, { object: 'list', data: [], models: [] })
    if (incoming.method !== 'POST' || !path.endsWith('/responses'))
      return answerJson(response, 404, { error: { message: `No ${path} here.` } })
    requests.push({ prompt: askedBy(body).prompt, body, headers: incoming.headers })
    const gone = new Promise<void>((resolve) => response.once('close', () => resolve()))
    changed()
    await deliverResponse(response, {
      answer: answerTo(body),
      body,
      id: `s${process.pid}${Date.now().toString(36)}${requests.length}`,
      async released() {
        hanging++
        changed()
        await Promise.race([released.promise, gone])
        hanging--
      },
    })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) =>
      answerJson(response, 400, { error: { message: String(error) } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const bodyOf = (n: number): ResponsesBody => {
    const request = requests.at(n)
    if (request === undefined)
      throw new Error(`There is no request ${n}; there are ${requests.length}.`)
    return request.body
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on: (prompt, rounds) => void rules.push(new Rule(prompt, rounds)),
    userTexts: (n = -1) => userTextsOf(bodyOf(n)),
    conversation: (n = -1) => linesOf(bodyOf(n)),
    seen: (prompt, times = 1) =>
      until(
        () => requests.filter((request) => matches(prompt, request.prompt))[times - 1],
        `Request ${times} for ${String(prompt)}`,
      ),
    hanging: () =>
      until(() => (hanging > 0 ? hanging : undefined), 'A hanging answer').then(() => undefined),
    release() {
      released.resolve()
      released = Promise.withResolvers<void>()
    },
    async [Symbol.asyncDispose]() {
      released.resolve()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function readBody(incoming: IncomingMessage): Promise<ResponsesBody> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as ResponsesBody)
}
