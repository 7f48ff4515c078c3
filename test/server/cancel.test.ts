import { expect, test } from 'vitest'
import { openMachine, openProject } from '#engine'
import { openClient, type Client, type EventView, type PlanView } from '#protocol'
import { serve } from '#server'
import { takeWriter } from '#store'
import { readEnvironment } from '../../src/cli/environment.ts'
import { parseView } from '../cli/schemas.ts'
import { write } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce, type Played } from '../operations/played.ts'

/** So many that a request comes in between: the server hears others after every single file. */
const MANY = 24

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: {
    first: ['hello'],
    many: [Array.from({ length: MANY }, (_, n) => write(`made/${n}.txt`, `${n}\n`)), 'made'],
  },
})

type Progress = Extract<EventView, { event: 'operation.progress' }>

/** A server in this process: however busy the machine is, it cannot be ahead of who asks it. */
async function opened(p: Played) {
  const { places } = readEnvironment({ ...p.s.env }, {})
  const machine = openMachine(
    { ...places, cwd: p.s.project },
    { now: () => new Date(), newId: () => crypto.randomUUID() },
  )
  const server = (await serve(machine, {
    port: 0,
    version: '0',
    idle: null,
    environment: {},
    voiceKey: null,
  }))!
  const { url, token } = server.record
  const heard: Progress[] = []
  let onProgress: ((event: Progress) => void) | null = null
  const gone = new AbortController()
  const client = openClient({ origin: url, token })
  const open = Promise.withResolvers<void>()
  const following = client.events({
    signal: gone.signal,
    onOpen: open.resolve,
    onEvent(event) {
      if (event.event !== 'operation.progress') return
      heard.push(event)
      onProgress?.(event)
    },
  })
  await open.promise
  return {
    machine,
    client,
    heard,
    /** The first that fits, of those that come. */
    until: (phase: Progress['phase']) =>
      new Promise<Progress>((resolve) => {
        onProgress = (event) => event.phase === phase && resolve(event)
      }),
    async [Symbol.asyncDispose]() {
      gone.abort()
      await following.catch(() => {})
      await server.close()
      machine[Symbol.dispose]()
    },
  }
}

async function planUndo(client: Client, session: string): Promise<string> {
  const plan = (await client.plan({ session, verb: 'undo' })) as PlanView
  expect(plan.files).toHaveLength(MANY)
  return plan.id
}

test('[F11][B11] a long operation tells how far it is, and cancelled in its middle all is as it was', async () => {
  const p = await play()
  await using server = await opened(p)
  const { client, heard } = server
  const plan = await planUndo(client, p.id)
  const before = await footprint(p.s)
  const cancelling = server.until('changing').then((event) => client.cancel({ plan: event.plan }))
  await expect(client.apply({ plan })).rejects.toMatchObject({
    code: 'interrupted',
    message: 'Stopped. Everything is as it was.',
  })
  expect(parseView(JSON.stringify(await cancelling))).toEqual({
    schema: 'retake.cancel/1',
    plan,
    cancelled: true,
  })
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  expect(await client.undoState({ session: p.id })).toMatchObject({ undone: 0 })
  expect(heard.map(({ phase }) => phase)).not.toContain('finishing')
  expect(heard[0]).toMatchObject({
    session: p.id,
    plan,
    verb: 'undo',
    phase: 'waiting',
    done: 0,
    total: MANY,
  })
  const { operations } = await client.operations({ session: p.id })
  expect(operations[0]).toMatchObject({ verb: 'undo', state: 'rolled-back' })

  // The plan is as good as before; once it is done, cancelling says so and changes nothing.
  const receipt = await client.apply({ plan })
  expect(receipt.filesReverted).toHaveLength(MANY)
  expect(await client.cancel({ plan })).toEqual({
    schema: 'retake.cancel/1',
    plan,
    cancelled: false,
    receipt,
  })
  expect(Object.keys(await p.files())).not.toContain('made/0.txt')
  heard.length = 0
  await client.redo({ session: p.id })
  await expect
    .poll(() => [...new Set(heard.map(({ phase }) => phase))])
    .toEqual(['waiting', 'checking', 'keeping', 'preparing', 'changing', 'finishing'])
})

test('[F11] who waits for another process can be cancelled too; what does not run cannot', async () => {
  const p = await play()
  await using server = await opened(p)
  const { client, machine } = server
  const plan = await planUndo(client, p.id)
  await expect(client.cancel({ plan })).rejects.toMatchObject({ code: 'operation-not-running' })
  await expect(client.cancel({ plan: '0'.repeat(32) })).rejects.toMatchObject({
    code: 'plan-not-found',
  })
  using project = openProject(machine, p.s.project)
  await using held = await takeWriter(project.store)
  const applied = expect(client.apply({ plan })).rejects.toMatchObject({ code: 'interrupted' })
  await expect
    .poll(() => client.cancel({ plan }).catch(() => null))
    .toMatchObject({ cancelled: true })
  await applied
  expect(held.isHeld).toBe(true)
})
