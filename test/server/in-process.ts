/**
 * A server in the test's own process, on a real socket. Its clock can be the test's, and on a busy
 * machine it cannot run ahead of its client.
 */
import { durableDisk, type Disk } from '#disk'
import { openMachine, type Machine } from '#engine'
import type { Client, EventView } from '#protocol'
import { serve } from '#server'
import { readEnvironment } from '../../src/cli/environment.ts'
import type { Scene } from '../scene.ts'
import { answering, EVENT_TIMEOUT_MS, noEvent, type Answering } from './serving.ts'

export interface InProcess extends AsyncDisposable {
  readonly machine: Machine
  readonly client: Client
  readonly heard: readonly EventView[]
  /** The first matching event from now on. */
  next(fits: (event: EventView) => boolean): Promise<EventView>
}

/** For tests of responses: starting a server process takes half a second. */
export async function answeringHere(
  s: Scene,
  env: Readonly<Record<string, string>> = s.env,
  disk: Disk = durableDisk,
): Promise<Answering & AsyncDisposable & { readonly machine: Machine }> {
  const { places, agent } = readEnvironment({ ...env }, {})
  const machine = openMachine(
    { ...places, cwd: s.project },
    { now: () => new Date(), newId: () => crypto.randomUUID(), disk },
  )
  const options = { port: 0, version: '0', idle: null, environment: agent, voiceKey: null }
  const server = (await serve(machine, options))!
  return {
    ...answering(server.record),
    machine,
    async [Symbol.asyncDispose]() {
      await server.close()
      machine[Symbol.dispose]()
    },
  }
}

export async function servingHere(s: Scene, disk?: Disk): Promise<InProcess> {
  const server = await answeringHere(s, s.env, disk)
  const { client, machine } = server
  const heard: EventView[] = []
  const waiting = new Set<(event: EventView) => void>()
  const timers = new Set<NodeJS.Timeout>()
  const gone = new AbortController()
  const open = Promise.withResolvers<void>()
  const following = client.events({
    signal: gone.signal,
    onOpen: open.resolve,
    onEvent(event) {
      heard.push(event)
      for (const tell of waiting) tell(event)
    },
  })
  await open.promise
  return {
    machine,
    client,
    heard,
    next: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(noEvent(fits, heard)), EVENT_TIMEOUT_MS)
        timers.add(timer)
        const tell = (event: EventView): void => {
          if (!fits(event)) return
          clearTimeout(timer)
          waiting.delete(tell)
          resolve(event)
        }
        waiting.add(tell)
      }),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer)
      gone.abort()
      await following.catch(() => {})
      await server[Symbol.asyncDispose]()
    },
  }
}
