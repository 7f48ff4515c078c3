import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ForgetView, PurgeView } from '#protocol'
import { durableDisk } from '#disk'
import { findVault, readKept, vaultFiles } from '#store'
import { parseView } from '../cli/schemas.ts'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\n' },
  turns: {
    T1: ['hello'],
    'secret plan': [write('s.txt', 'the secret words\n'), edit('a.txt', 'b', 'B'), 'done'],
  },
})

function keptText({ s, id }: Played): string {
  const data = join(s.env['XDG_DATA_HOME']!, 'retake')
  using vault = findVault({ data, disk: durableDisk })!
  const file = vaultFiles(vault, id).find(({ role }) => role === 'transcript')
  return Buffer.concat([...readKept(vault, file!)]).toString()
}

async function grepStore({ s }: Played, text: string): Promise<string> {
  return (await s.run('grep', ['-rlF', text, join(s.env['XDG_DATA_HOME']!, 'retake')])).stdout
}

test('[sem.K1] forget erases what only that branch has, asks first, and says what the agent still has', async () => {
  const p = await base()
  await p.run('undo')
  await p.say('other way', [edit('a.txt', 'c', 'C'), 'done'])
  const [, , other] = await p.log()
  expect(await grepStore(p, 'the secret words')).not.toBe('')
  expect(keptText(p)).toContain('secret plan')

  expect(await p.refused('forget', 'main')).toMatchObject({ exit: 2, code: 'usage' })
  const run = async (...args: string[]) => {
    const { stdout } = await p.s.retake('forget', 'main', ...args, '--session', p.id, '--json')
    return parseView<ForgetView>(stdout)
  }
  const planned = await run('--dry-run')
  expect(planned).toMatchObject({ turns: 1, operations: [1] })
  const before = await readFile(planned.transcript)
  expect(await run('--yes')).toEqual({ ...planned, dryRun: false })
  expect(await readFile(planned.transcript)).toEqual(before)
  expect(before.toString()).toContain('the secret words')

  expect(await grepStore(p, 'the secret words')).toBe('')
  expect(await grepStore(p, 'secret plan')).toBe('')
  const kept = keptText(p)
  expect(kept).not.toContain('secret')
  expect(kept).toContain('other way')
  expect(Buffer.byteLength(kept)).toBe(before.length)
  // It is not copied again or kept as part of a rewritten transcript; shared turns still work.
  expect((await p.status()).lost).toEqual([])
  expect(await p.refused('op', 'undo', '1')).toMatchObject({ exit: 1 })
  await p.run('undo')
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\n')
  expect(await grepStore(p, 'the secret words')).toBe('')
  expect(await p.refused('forget', other!.id, '--yes')).toMatchObject({
    code: 'branch-current',
  })
})

test('[sem.A6] purge erases every content of a file, and nothing is guessed in their place', async () => {
  const p = await base()
  await p.run('undo')
  await p.run('redo')
  const run = async (...args: string[]) => {
    const { stdout } = await p.s.retake('purge', 's.txt', ...args, '--json')
    return parseView<PurgeView>(stdout)
  }
  expect(await p.refused('purge', 's.txt')).toMatchObject({ exit: 2, code: 'usage' })
  const planned = await run('--dry-run')
  expect(planned).toMatchObject({ path: 's.txt', contents: 1, operations: [1, 2] })
  expect(await run('--yes')).toEqual({ ...planned, dryRun: false })
  expect(await p.read<{ contents: unknown[] }>('where', 's.txt')).toMatchObject({ contents: [] })
  // The turn can still be undone as far as its changes are known; the purged file stays as it is.
  const { left } = await p.run('undo')
  expect(left).toMatchObject([{ path: 's.txt', kind: 'purged' }])
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\n')
  expect(await p.s.read('s.txt')).toBe('the secret words\n')
  expect((await p.s.retake('check', '--read-data')).code).toBe(0)
})
