import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'

test('[U2] compiled code is cached per command, checked for damage, and never required', async () => {
  await using s = await scene()
  const kept = join(s.root, 'compiled')
  const start = async (env: Record<string, string | undefined> = {}) => {
    const { code, stdout, stderr } = await s.retake('sessions', '--json', {
      env: { NODE_COMPILE_CACHE: kept, ...env },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const find = async () => {
    const [directory = ''] = await readdir(kept)
    return { directory, names: await readdir(join(kept, directory)) }
  }

  const first = await start()
  const { directory, names } = await find()
  expect(directory).toMatch(/^retake-[0-9a-f]{16}-v/)
  expect(names).toEqual(['reading-sessions'])

  // The same bytes stay: nothing was compiled, so nothing was written.
  const path = join(kept, directory, 'reading-sessions')
  const whole = await readFile(path)
  expect(await start()).toBe(first)
  expect(await readFile(path)).toEqual(whole)

  const damaged = Buffer.from(whole)
  damaged.fill(0x5a, whole.length >> 1, (whole.length >> 1) + 4096)
  for (const bytes of [damaged, whole.subarray(0, -1000), Buffer.alloc(0)]) {
    await writeFile(path, bytes)
    expect(await start()).toBe(first)
    expect((await readFile(path)).length).toBeGreaterThan(100_000)
  }

  // The command works even if the cache cannot be written or is turned off.
  await writeFile(join(s.root, 'file'), '')
  expect(await start({ NODE_COMPILE_CACHE: join(s.root, 'file/below') })).toBe(first)
  expect(await start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(first)

  // A failed run loaded too little for the next one.
  const { code } = await s.retake('log', { env: { NODE_COMPILE_CACHE: kept } })
  expect(code).toBe(6)
  expect((await find()).names).toEqual(['reading-sessions'])
})
