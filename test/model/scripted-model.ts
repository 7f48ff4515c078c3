import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Asked,
  type MessagesBody,
  describe,
  findPrompts,
  findWorkingDirectory,
  userTexts,
} from './conversation.ts'
import { type Answer, type Round, Rule, matches, replyTo } from './script.ts'
import { deliver, sendJson } from './stream.ts'

/**
 * `main` is the conversation itself, `subagent` one that it started, `compaction` the agent's
 * request for a summary. Everything else (titles, token counts, probes) is `side`.
 */
export type RequestKind = 'main' | 'subagent' | 'compaction' | 'side'

export interface ModelRequest {
  readonly kind: RequestKind
  readonly path: string
  readonly sessionId: string | undefined
  readonly agentId: string | undefined
  /** The last real user text. */
  readonly prompt: string
  readonly body: MessagesBody
  /** How it ended; `aborted` means that the agent disconnected before the answer was complete. */
  readonly ended: Promise<'answered' | 'failed' | 'broken' | 'aborted'>
}

/** The serializable part of a request. */
export type ReceivedRequest = Omit<ModelRequest, 'ended' | 'sessionId' | 'agentId'> &
  Partial<Pick<ModelRequest, 'sessionId' | 'agentId'>>

export interface ScriptedModel extends AsyncDisposable {
  readonly url: string
  /** The arguments of all `on` calls, in order. */
  readonly script: readonly (readonly [string | RegExp, string | readonly Round[]])[]
  /** Every request so far, including side requests and subagents. */
  readonly log: readonly ModelRequest[]
  /** The requests of the main conversation. */
  readonly requests: readonly ModelRequest[]
  /** Hosts the agent tried to reach through the proxy; a hermetic run leaves this empty. */
  readonly outside: readonly string[]
  /**
   * Scripts the answers to a prompt, one round per tool loop. A newer script replaces an older one.
   */
  on(prompt: string | RegExp, rounds: string | readonly Round[]): void
  /** The conversation that the nth main request sent (default: the last), as lines. */
  conversation(n?: number): string[]
  /** The user texts of the nth main request, without reminders. */
  userTexts(n?: number): string[]
  /** Waits until `times` requests for this prompt have arrived. */
  seen(prompt: string | RegExp, times?: number): Promise<ModelRequest>
  /** Logs a request of a recorded run. */
  hear(request: ReceivedRequest): void
  /** Waits until an answer hangs. */
  hanging(): Promise<void>
  /** Releases all hanging answers. */
  release(): void
}

/** Longer than a busy machine needs to start the agent and play a turn. */
const patienceMs = 90_000

export async function scriptedModel(): Promise<ScriptedModel> {
  const rules: Rule[] = []
  const script: (readonly [string | RegExp, string | readonly Round[]])[] = []
  const log: ModelRequest[] = []
  const outside: string[] = []
  const watchers = new Set<() => void>()
  let released = Promise.withResolvers<void>()
  let hanging = 0

  const changed = (): void => {
    for (const watcher of watchers) watcher()
  }

  const until = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    const found = Promise.withResolvers<T>()
    const watcher = (): void => {
      const value = find()
      if (value !== undefined) found.resolve(value)
    }
    const timer = setTimeout(() => {
      const prompts = log.map(({ kind, prompt }) => `${kind}: ${prompt.slice(0, 100)}`)
      found.reject(new Error(`${what} did not come. Requests so far:\n${prompts.join('\n')}`))
    }, patienceMs)
    watchers.add(watcher)
    watcher()
    try {
      return await found.promise
    } finally {
      watchers.delete(watcher)
      clearTimeout(timer)
    }
  }

  /** An answer stops hanging if its client leaves: `hanging` then waits for the next one. */
  const waitForRelease = async (ended: Promise<unknown>): Promise<void> => {
    hanging++
    changed()
    await Promise.race([released.promise, ended])
    hanging--
  }

  const answerTo = (asked: readonly Asked[]): Answer => {
    for (const { prompt, answered } of asked) {
      const rule = rules.findLast((candidate) => candidate.matches(prompt))
      const scripted = rule?.answer(answered)
      if (scripted !== undefined) return scripted
    }
    const summary = asked.some(({ prompt }) => asksForSummary(prompt))
    const said = summary ? '<summary>Scripted summary.</summary>' : 'ok'
    return { blocks: [{ kind: 'text', text: said }] }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming)
    const path = (incoming.url ?? '/').split('?')[0]!
    const asked = findPrompts(body.messages ?? [])
    const prompt = asked[0]?.prompt ?? ''
    const agentId = header(incoming, 'x-claude-code-agent-id')
    const isMessage = incoming.method === 'POST' && path === '/v1/messages'
    const kind = isMessage ? kindOf(body, { agentId, prompt }) : 'side'
    const answer = isMessage ? replyTo(answerTo(asked), body) : undefined
    const ended = Promise.withResolvers<'answered' | 'failed' | 'broken' | 'aborted'>()
    response.once('close', () => {
      if (answer?.broken === true) ended.resolve('broken')
      else if (!response.writableFinished) ended.resolve('aborted')
      else ended.resolve(response.statusCode < 400 ? 'answered' : 'failed')
    })
    const sessionId = header(incoming, 'x-claude-code-session-id')
    log.push({ kind, path, sessionId, agentId, prompt, body, ended: ended.promise })
    changed()
    if (answer !== undefined)
      return deliver({
        response,
        answer,
        model: body.model ?? 'scripted',
        streamed: body.stream === true,
        cwd: findWorkingDirectory(body),
        released: () => waitForRelease(ended.promise),
      })
    if (path === '/v1/messages/count_tokens')
      return sendJson(response, 200, {
        input_tokens: Math.ceil(JSON.stringify(body).length / 4),
      })
    sendJson(response, 404, {
      type: 'error',
      error: { type: 'not_found_error', message: `The scripted model has no ${path}.` },
    })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) =>
      sendJson(response, 400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: String(error) },
      }),
    )
  })
  server.on('connect', (incoming, socket) => {
    outside.push(incoming.url ?? '')
    // A refused client may disconnect first.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const main = (): ModelRequest[] => log.filter(({ kind }) => kind === 'main')
  const pick = (n: number): MessagesBody => {
    const request = main().at(n)
    if (request === undefined)
      throw new Error(`There is no main request ${n}; there are ${main().length}.`)
    return request.body
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    get requests() {
      return main()
    },
    outside,
    script,
    on(prompt, rounds) {
      rules.push(new Rule(prompt, rounds))
      script.push([prompt, rounds])
    },
    hear(request) {
      const { sessionId, agentId } = request
      log.push({ ...request, sessionId, agentId, ended: Promise.resolve('answered') })
      changed()
    },
    conversation: (n = -1) => describe(pick(n)),
    userTexts: (n = -1) => userTexts(pick(n).messages ?? []),
    seen: (prompt, times = 1) =>
      until(
        () => log.filter((request) => matches(prompt, request.prompt))[times - 1],
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

function kindOf(
  { tools = [] }: MessagesBody,
  { agentId, prompt }: { agentId: string | undefined; prompt: string },
): RequestKind {
  if (asksForSummary(prompt)) return 'compaction'
  if (tools.length === 0) return 'side'
  return agentId === undefined ? 'main' : 'subagent'
}

function asksForSummary(prompt: string): boolean {
  return prompt.includes('<summary>') && /do not (call any tools|answer it)/i.test(prompt)
}

function header(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value[0] : value
}

async function readBody(incoming: IncomingMessage): Promise<MessagesBody> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  const said = Buffer.concat(chunks).toString('utf8')
  return said === '' ? {} : (JSON.parse(said) as MessagesBody)
}
