import { expect, test } from 'vitest'
import { durableDisk, type Disk } from '#disk'
import { openProject } from '#engine'
import type { Client, EventView, PlanView } from '#protocol'
import { takeWriter } from '#store'
import { parseView } from '../cli/schemas.ts'
import { write } from '../model/index.ts'
import { expectOnly, footprint } from '../operations/footprint.ts'
import { playedOnce } from '../operations/played.ts'
import { servingHere } from './in-process.ts'

/** Enough files for a request in between, on a disk so slow that the server yields after each. */
const MANY = 24
const slowDisk: Disk = {
  ...durableDisk,
  rename(...names) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3)
    durableDisk.rename(...names)
  },
}

const play = playedOnce({
  files: { 'a.txt': 'one\n' },
  turns: {
    first: ['hello'],
    many: [Array.from({ length: MANY }, (_, n) => write(`made/${n}.txt`, `${n}\n`)), 'made'],
  },
})

type Progress = Extract<EventView, { event: 'operation.progress' }>
const isProgress = (event: EventView): event is Progress => event.event === 'operation.progress'

async function planUndo(client: Client, session: string): Promise<string> {
  const plan = (await client.plan({ session, verb: 'undo' })) as PlanView
  expect(plan.files).toHaveLength(MANY)
  return plan.id
}

test('[F11][B11] a long operation reports progress, and cancelling it midway leaves everything as it was', async () => {
  const p = await play()
  await using server = await servingHere(p.s, slowDisk)
  const { client } = server
  const progress = () => server.heard.filter(isProgress)
  const plan = await planUndo(client, p.id)
  const before = await footprint(p.s)
  const cancelling = server
    .next((event) => isProgress(event) && event.phase === 'changing')
    .then((event) => client.cancel({ plan: (event as Progress).plan }))
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
  expect(progress().map(({ phase }) => phase)).not.toContain('finishing')
  expect(progress()[0]).toMatchObject({
    session: p.id,
    plan,
    verb: 'undo',
    phase: 'waiting',
    done: 0,
    total: MANY,
  })
  const { operations } = await client.operations({ session: p.id })
  expect(operations[0]).toMatchObject({ verb: 'undo', state: 'rolled-back' })

  // The plan is still valid; after it is applied, a cancel is refused and changes nothing.
  const receipt = await client.apply({ plan })
  expect(receipt.filesReverted).toHaveLength(MANY)
  expect(await client.cancel({ plan })).toEqual({
    schema: 'retake.cancel/1',
    plan,
    cancelled: false,
    receipt,
  })
  expect(Object.keys(await p.files())).not.toContain('made/0.txt')
  const earlier = progress().length
  await client.redo({ session: p.id })
  await expect
    .poll(() => [
      ...new Set(
        progress()
          .slice(earlier)
          .map(({ phase }) => phase),
      ),
    ])
    .toEqual(['waiting', 'checking', 'keeping', 'preparing', 'changing', 'finishing'])
})

test('[F11] waiting for another process can be cancelled too; what does not run cannot', async () => {
  const p = await play()
  await using server = await servingHere(p.s)
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
