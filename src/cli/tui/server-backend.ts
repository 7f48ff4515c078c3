import { setTimeout as sleep } from 'node:timers/promises'
import { readOperation, readServerRecord, type Machine } from '#engine'
import { Failure } from '#failure'
import { openClient, type Client, type EventView, type PlanBody, type ReceiptView } from '#protocol'
import type { Follow, Backend, ShownPlan, Watching } from './backend.ts'

/** Give up on a server after this many ms: a killed one leaves its record behind. */
const TIMEOUT_MS = 2000

export interface ServerBackend extends Backend {
  /** Follows a turn that another client started, from its beginning. */
  rejoin(session: string, follow: Follow & { onStart: (prompt: string) => void }): Promise<void>
}

/**
 * Connects to this machine's server; null if none answers. Passes on every event until the
 * connection ends.
 */
export async function openServerBackend(
  machine: Machine,
  onEvent: (event: EventView) => void,
): Promise<ServerBackend | null> {
  const record = readServerRecord(machine.disk, machine.places.runtime)
  if (record === null) return null
  const client = openClient({ origin: record.url, token: record.token, fetch: fetchAlone })
  const ending = new AbortController()
  const { signal } = ending
  const opened = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => opened.resolve(false), TIMEOUT_MS)
  let isThere = true
  let watched: (Watching & { readonly plan: string }) | null = null
  const hear = (event: EventView): void => {
    if (event.event === 'operation.progress' && event.plan === watched?.plan)
      watched.progress(event)
    onEvent(event)
  }
  const events = client
    .events({ signal, onEvent: hear, onOpen: () => opened.resolve(true) })
    // The server or this TUI ended.
    .catch(() => {})
    .finally(() => {
      isThere = false
      opened.resolve(false)
    })
  const isOpen = await opened.promise
  clearTimeout(timer)
  if (!isOpen) {
    ending.abort()
    return null
  }
  return {
    get isThere() {
      return isThere
    },
    async apply(project, shown, watching) {
      watched = { ...watching, plan: shown.plainId }
      const receipt = await applyThere(client, shown, watching.signal)
        .catch(sayLost)
        .finally(() => (watched = null))
      const { operation, conversation, reopen } = receipt
      if (operation !== null) {
        const { receipt: recorded } = readOperation(project, operation)
        // The record does not say what became of the agent's process.
        return reopen === undefined ? recorded : { ...recorded, conversation, reopen }
      }
      throw new Failure('nothing-to-do', receipt.nothing ?? 'Nothing to do.')
    },
    converse({ session, prompt }, follow) {
      if (session === null) throw new Error('A first session begins in this process.')
      return followTurn(client.converse, { session, prompt }, follow)
    },
    async rejoin(session, { onStart, ...follow }) {
      await followTurn(client.rejoin, { session }, { ...follow, onStart })
    },
    async answer(approval, answer) {
      await client.answerApproval({ approval, ...answer }).catch(sayLost)
    },
    async stop(session) {
      await client.abort({ session }).catch(sayLost)
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await events
    },
  }
}

/** The server closes idle connections, and a request on one that it has just closed would fail. */
const fetchAlone: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('Connection', 'close')
  return fetch(input, { ...init, headers })
}

/** Replaces a network error by a message that a user understands. */
function sayLost(error: unknown): never {
  if (error instanceof Failure) throw error
  throw new Failure('server-gone', 'The server did not answer.', {
    hint: 'An operation that it had started was finished, or nothing changed.',
    cause: error,
  })
}

/** Resolves with the session once the turn has started; the callbacks get the rest. */
function followTurn<Input>(
  stream: (
    input: Input,
    options: { onEvent: Parameters<Client['converse']>[1]['onEvent'] },
  ) => Promise<void>,
  input: Input,
  { onEvent, onEnd, onStart }: Follow & { readonly onStart?: (prompt: string) => void },
): Promise<string> {
  const begun = Promise.withResolvers<string>()
  let hasBegun = false
  stream(input, {
    onEvent(event) {
      if (event.type !== 'started') return onEvent(event)
      hasBegun = true
      onStart?.(event.prompt)
      begun.resolve(event.session)
    },
  }).then(
    () => onEnd(),
    (error: unknown) => (hasBegun ? onEnd(lostServer(error)) : begun.reject(lostServer(error))),
  )
  return begun.promise
}

/** The same during a turn. */
function lostServer(error: unknown): unknown {
  if (error instanceof Failure) return error
  return new Failure('server-gone', 'The server stopped in the middle of the turn.', {
    hint: 'Everything written until then is in the session.',
    cause: error,
  })
}

/** The server plans again. If it arrives at the plan that was shown, it applies it. */
async function applyThere(
  client: Client,
  { command, planned, plainId }: ShownPlan,
  stop: AbortSignal,
): Promise<ReceiptView> {
  const { how, session } = planned
  const id = session.report.id
  if (command.verb === 'checkpoint') return client.setCheckpoint({ ...command, session: id })
  // Planning writes nothing, so a stop need not wait for it.
  const plan = await Promise.race([
    client.plan({ ...(command as PlanBody), session: id }),
    stopped(stop),
  ])
  if (plan.schema === 'retake.receipt/1') return plan
  if (plan.id !== plainId)
    throw new Failure('plan-stale', 'The files or the session changed since the plan was made.', {
      hint: 'Nothing was changed. Plan again.',
    })
  if (stop.aborted) throw interrupted()
  const ended = new AbortController()
  const cancel = () => void cancelThere(client, plan.id, ended.signal)
  stop.addEventListener('abort', cancel, { once: true })
  try {
    const choices = Object.fromEntries(how.choices)
    return await client.apply({ plan: plan.id, confirmed: true, choices })
  } finally {
    stop.removeEventListener('abort', cancel)
    ended.abort()
  }
}

function stopped(stop: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const end = () => reject(interrupted())
  if (stop.aborted) end()
  else stop.addEventListener('abort', end, { once: true })
  return promise
}

function interrupted(): Failure {
  return new Failure('interrupted', 'Stopped. Everything is as it was.')
}

const MOMENT = 50

/**
 * Retries until the server runs the operation. The caller that awaits the receipt gets the outcome.
 */
async function cancelThere(client: Client, plan: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      return void (await client.cancel({ plan }))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'operation-not-running') return
    }
    await sleep(MOMENT)
  }
}
