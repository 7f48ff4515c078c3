import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { edit } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\n' },
  turns: { T1: ['hello'], T2: [edit('a.txt', 'b', 'B'), 'done'] },
})

const MEGA = 1024 * 1024

test('[W20][I6] the quota warns from 80 % on; when it is used up, looking stops with a word and undo still works', async () => {
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
  expect(plan.warnings).toContainEqual(expect.stringContaining('the quota is used up'))
  expect((await p.s.retake('status')).stdout).toContain('`retake gc`')
  await p.run('undo')
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\n')
  await p.run('op', 'undo')
  expect(await p.s.read('a.txt')).toBe('a\nB\nc\n')
})
