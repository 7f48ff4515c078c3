import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../test/crash/world.ts'
import { watchTree, type FsEvents } from './watch-tree.ts'

const DROPPED = { user: 0x02, kernel: 0x04, subdirectories: 0x01, rootMoved: 0x20 }
const MODIFIED = 0x1000

test('[FT23] one stream reports the paths of a tree, and lost events as a change anywhere', () => {
  let report: (path: string, flags: number) => void = () => {}
  let started = 0
  let stopped = 0
  const fsevents: FsEvents = {
    watch(path, handler) {
      expect(path).toBe('/p')
      started += 1
      report = handler
      return async () => void (stopped += 1)
    },
  }
  const heard: (string | null)[] = []
  const watch = watchTree('/p', (path) => heard.push(path), () => fsevents) // prettier-ignore
  report('/p/src/a', MODIFIED)
  report('/p', MODIFIED)
  for (const flag of Object.values(DROPPED)) report('/p/src', flag | MODIFIED)
  expect(heard).toEqual(['src/a', null, null, null, null, null])
  watch![Symbol.dispose]()
  expect([started, stopped]).toEqual([1, 1])
})

test('[FT23] without the package, a tree is watched all the same', async () => {
  using t = temporary()
  mkdirSync(join(t.path, 'a/b'), { recursive: true })
  const heard = new Set<string | null>()
  using watch = watchTree(t.path, (path) => heard.add(path), () => null) // prettier-ignore
  expect(watch).not.toBeNull()
  await expect
    .poll(() => {
      writeFileSync(join(t.path, 'a/b/c'), String(Math.random()))
      return [...heard]
    })
    .toContain('a/b/c')
})

const BROKEN: FsEvents = {
  watch() {
    throw new Error('could not watch')
  },
}

test('[FT23] if the package fails, a tree is watched all the same', async () => {
  using t = temporary()
  const heard = new Set<string | null>()
  using watch = watchTree(t.path, (path) => heard.add(path), () => BROKEN) // prettier-ignore
  expect(watch).not.toBeNull()
  await expect
    .poll(() => {
      writeFileSync(join(t.path, 'c'), String(Math.random()))
      return [...heard]
    })
    .toContain('c')
})

test('[FT23] a tree that cannot be watched gives no hints, and nothing fails', () => {
  const heard: (string | null)[] = []
  // macOS reports the failure at once, Linux later, as an event.
  watchTree('/p', (path) => heard.push(path), () => BROKEN)?.[Symbol.dispose]() // prettier-ignore
  expect(heard).toEqual([])
})
