import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Scene } from '../scene.ts'
import type { Codex } from './codex.ts'

type Params = Readonly<Record<string, unknown>>

/** `codex app-server`: the program behind Codex's own surfaces, over JSON-RPC. */
export interface CodexServer extends AsyncDisposable {
  call<T = Record<string, unknown>>(method: string, params?: Params): Promise<T>
  /** Waits for a notification that fits, also an earlier one. */
  until(method: string, fits?: (params: Record<string, unknown>) => boolean): Promise<Params>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const PATIENCE_MS = 30_000

export async function codexServer(s: Scene, agent: Codex): Promise<CodexServer> {
  const child: ChildProcess = s.processes.start(agent.binary, ['app-server'], {
    cwd: s.project,
    env: { ...agent.env },
  })
  const heard: Message[] = []
  const watchers = new Set<() => void>()
  createInterface({ input: child.stdout! }).on('line', (line) => {
    heard.push(JSON.parse(line) as Message)
    for (const watcher of watchers) watcher()
  })
  const wait = async (fits: (message: Message) => boolean, what: string): Promise<Message> => {
    const found = Promise.withResolvers<Message>()
    const watcher = (): void => {
      const message = heard.find(fits)
      if (message !== undefined) found.resolve(message)
    }
    const timer = setTimeout(() => {
      found.reject(new Error(`${what} did not come:\n${heard.map((each) => JSON.stringify(each).slice(0, 300)).join('\n')}`)) // prettier-ignore
    }, PATIENCE_MS)
    watchers.add(watcher)
    watcher()
    try {
      return await found.promise
    } finally {
      clearTimeout(timer)
      watchers.delete(watcher)
    }
  }
  let calls = 0
  const send = (message: object): void => void child.stdin!.write(`${JSON.stringify(message)}\n`)
  const made: CodexServer = {
    async call<T>(method: string, params: Params = {}) {
      const id = ++calls
      send({ jsonrpc: '2.0', id, method, params })
      const answer = await wait((message) => message.id === id && message.method === undefined, method) // prettier-ignore
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
      return answer.result as T
    },
    async until(method, fits = () => true) {
      const found = await wait((each) => each.method === method && fits(each.params ?? {}), method)
      return found.params ?? {}
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
      child.stdin!.end()
      const timer = setTimeout(() => child.kill(), 2000)
      await ended
      clearTimeout(timer)
    },
  }
  const clientInfo = { name: 'retake-tests', title: null, version: '1' }
  await made.call('initialize', { clientInfo, capabilities: { experimentalApi: true } })
  send({ jsonrpc: '2.0', method: 'initialized' })
  return made
}
