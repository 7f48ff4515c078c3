import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GcView, PlanView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { makeOlder } from './make-older.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\nd\ne\nf\n' },
  turns: { T1: ['hello'], T2: [edit('a.txt', 'b', 'B'), 'done'] },
})

test('[sem.K1][sem.K2][I3] gc lists what it would delete, asks, moves it aside, and only a later run deletes it', async () => {
  const p = await base()
  // Contents that no turn made: the user's line, merged by undo and redo.
  await p.s.write('a.txt', 'a\nB\nc\nd\ne\nf\nmine\n')
  await p.run('undo')
  await p.run('redo')
  await p.s.write('a.txt', 'a\nB\nc\nd\ne\nf\nother\n')
  await p.run('undo')
  await p.run('redo')
  const run = async (...args: string[]) =>
    parseView<GcView>((await p.s.retake('gc', ...args, '--json')).stdout)
  const held = () => p.read<{ contents: { id: string; aside: string | null }[] }>('where', 'a.txt')

  expect(await run('--dry-run')).toMatchObject({ aside: { contents: 0 }, operations: [] })
  makeOlder(p, 91)
  const before = await held()
  const planned = await run('--dry-run')
  expect(planned.aside.contents).toBeGreaterThan(0)
  expect(planned.operations.map(({ id }) => id)).toEqual([3, 2, 1])
  expect(await p.refused('gc')).toMatchObject({ exit: 2, code: 'usage' })
  expect(await held()).toEqual(before)

  expect(await run('--yes')).toEqual({ ...planned, dryRun: false })
  const aside = (await held()).contents.filter((content) => content.aside !== null)
  expect(aside).toHaveLength(planned.aside.contents)
  const { stdout } = await p.s.retake('where', 'a.txt', '--content', aside[0]!.id)
  expect(stdout).toContain('mine')
  expect(await p.refused('op', 'undo', '1')).toMatchObject({ exit: 1 })
  expect(await run('--yes')).toMatchObject({ aside: { contents: 0 }, deleted: { contents: 0 } })

  makeOlder(p, 8)
  expect(await run('--yes')).toMatchObject({ deleted: { contents: aside.length } })
  expect((await held()).contents.filter((content) => content.aside !== null)).toEqual([])
  // What is needed still works: the newest operations, and the turn itself.
  await p.run('op', 'undo')
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\nd\ne\nf\nother\n')
  expect(await p.refused('op', 'undo')).toMatchObject({ exit: 1, code: 'no-longer-undoable' })
})

const MEGA = 1024 * 1024

test('[W20][I6] the quota warns above 80 %; when it is used up, scans stop with a message and undo still works', async () => {
  const p = await base()
  expect((await p.status()).kept).toMatchObject({ level: 'fine', quota: 5120 * MEGA })
  expect((await p.s.retake('settings', 'set', 'quota', '16MB')).code).toBe(0)
  const filler = join(p.s.env['XDG_DATA_HOME']!, 'retake/filler')
  await p.s.write(filler, Buffer.alloc(14 * MEGA))
  expect((await p.status()).kept).toMatchObject({ level: 'warning' })

  await p.s.write(filler, Buffer.alloc(17 * MEGA))
  const { kept } = await p.status()
  expect(kept).toMatchObject({ level: 'full', quota: 16 * MEGA })
  expect(kept.all).toBeGreaterThanOrEqual(17 * MEGA)
  const plan = await p.read<PlanView>('undo', '--dry-run')
  expect(plan.warnings).toContainEqual(expect.stringContaining('the storage quota is used up'))
  expect((await p.s.retake('status')).stdout).toContain('`retake gc`')
  await p.run('undo')
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\nd\ne\nf\n')
  await p.run('op', 'undo')
  expect(await p.s.read('a.txt')).toBe('a\nB\nc\nd\ne\nf\n')
})
