import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { durableDisk, nameBytes, type Disk } from '#disk'
import { bundled } from '../../test/faults/bundled.ts'
import { world, type World } from '../../test/crash/world.ts'
import { needs } from '../../test/needs.ts'
import { takeWriter } from './writer-lock.ts'

const locked = expect.objectContaining({ code: 'project-locked' })
const program = await bundled(new URL('../../test/crash/hold-lock.ts', import.meta.url))

async function holder(w: World): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, w.path], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

test('[FT10] a second writer is refused, in the same process too', async () => {
  using w = world()
  const first = await takeWriter(w.open())
  await expect(takeWriter(w.open(), { wait: 0 })).rejects.toEqual(locked)
  expect(first.isHeld).toBe(true)
  first.release()
  expect(first.isHeld).toBe(false)
  const second = await takeWriter(w.open(), { wait: 0 })
  expect(second.isHeld).toBe(true)
})

test('[FT10] another process is refused after the wait, and learns who holds the lock', async () => {
  using w = world()
  const store = w.open()
  const child = await holder(w)
  const start = performance.now()
  await expect(takeWriter(store, { wait: 100 })).rejects.toThrow(`Process ${child.pid} is changing`)
  expect(performance.now() - start).toBeLessThan(5000)
  child.stdin!.end()
  await once(child, 'exit')
  const writer = await takeWriter(store, { wait: 0 })
  expect(writer.isHeld).toBe(true)
})

test('[R7] [FT12] killing the holder releases the lock at once', async () => {
  using w = world()
  const store = w.open()
  const child = await holder(w)
  const waiting = takeWriter(store, { wait: 5000 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await waiting).isHeld).toBe(true)
})

test('[FT11] a suspended holder keeps the lock', async () => {
  using w = world()
  const store = w.open()
  const child = await holder(w)
  child.kill('SIGSTOP')
  await expect(takeWriter(store, { wait: 200 })).rejects.toEqual(locked)
  child.kill('SIGCONT')
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('[FT12] a stale holder record does not block the lock', async () => {
  using w = world()
  const store = w.open()
  const note = durableDisk.create(nameBytes(`${store.directory}/lock.holder`), 0o600)
  durableDisk.write(note, Buffer.from('1'))
  durableDisk.close(note)
  expect((await takeWriter(store, { wait: 0 })).isHeld).toBe(true)
})

needs('linux')('[4.5] the lock is refused on a network file system', async () => {
  using w = world()
  const NFS = 0x6969
  const disk = { ...durableDisk, space: () => ({ free: 1e12, freeFiles: 1e6, type: NFS }) }
  await expect(takeWriter(w.open(disk))).rejects.toMatchObject({ code: 'store-on-network' })
})

test('waiting for the lock can be interrupted', async () => {
  using w = world()
  const first = await takeWriter(w.open())
  const waiting = takeWriter(w.open(), { signal: AbortSignal.abort() })
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  first.release()
})

test('[FT4] without free inodes the lock is refused with a reason, and is free afterwards', async () => {
  using w = world()
  const full = Object.assign(new Error('no inodes'), { code: 'ENOSPC' })
  let isFull = true
  const create: Disk['create'] = (path, mode) => {
    if (isFull) throw full
    return durableDisk.create(path, mode)
  }
  const store = { ...w.open(), disk: { ...durableDisk, create } }
  await expect(takeWriter(store, { wait: 0 })).rejects.toMatchObject({
    code: 'disk-full',
    hint: expect.stringContaining('df -i'),
  })
  isFull = false
  expect((await takeWriter(store, { wait: 0 })).isHeld).toBe(true)
})
