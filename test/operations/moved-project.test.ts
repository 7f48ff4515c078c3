import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edit, write } from '../model/index.ts'
import { readTree } from '../house/tree.ts'
import { playedOnce, type Played } from './played.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    hello: 'hi',
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [write('b', 'b\n'), 'did T2'],
  },
})

async function inDirectory(p: Played, cwd: string, ...args: string[]) {
  const { code, stdout } = await p.s.retake(...args, '--json', { cwd })
  return { exit: code, ...(JSON.parse(stdout) as Record<string, unknown>) }
}

test('[sem.C7] in a deleted directory’s sessions chat, names and lists still work; a moved project keeps its history', async () => {
  const p = await session()
  await p.run('undo')
  const moved = join(p.s.root, 'moved')
  await rename(p.s.project, moved)
  const here = (...args: string[]) => inDirectory(p, p.s.root, ...args, '--session', p.id)
  expect(await here('redo')).toMatchObject({
    exit: 6,
    hint: expect.stringContaining(`retake project move ${p.s.project} NEW`),
  })
  expect(await here('log')).toMatchObject({ exit: 0, turns: { length: 3 } })
  expect(await here('redo', '--only', 'chat')).toMatchObject({ exit: 0, conversation: 'moved' })
  expect(await here('undo', '--only', 'chat')).toMatchObject({ exit: 0, conversation: 'moved' })
  const care = (...args: string[]) => inDirectory(p, p.s.root, 'sessions', ...args)
  expect(await care('rename', p.id, 'Old work')).toMatchObject({ exit: 0 })
  expect(await care('delete', p.id, '--yes')).toMatchObject({ exit: 0 })
  expect(await here('op', 'undo')).toMatchObject({ exit: 0 })
  expect(await readTree(moved)).toMatchObject({ a: 'one\n' })

  expect(await here('redo', '--project', moved)).toMatchObject({
    exit: 6,
    hint: expect.stringContaining(moved),
  })
  expect(await inDirectory(p, moved, 'undo')).toMatchObject({
    code: 'no-session',
    hint: expect.stringContaining(`retake project move ${p.s.project} ${moved}`),
  })
  const { stdout } = await p.s.retake('doctor', { cwd: moved })
  expect(stdout).toContain(`retake project move ${p.s.project} ${moved}`)
  const args = ['project', 'move', p.s.project, moved]
  expect(await inDirectory(p, moved, ...args)).toMatchObject({ sessions: 1, history: 'moved' })
  expect(await inDirectory(p, moved, 'status')).toMatchObject({ session: p.id, undone: 1 })
  expect(await inDirectory(p, moved, 'redo')).toMatchObject({
    turnsRedone: 1,
    filesReverted: ['b'],
  })
  expect(await readTree(moved)).toMatchObject({ a: 'one\n', b: 'b\n' })
  expect(await inDirectory(p, moved, 'undo', '2')).toMatchObject({ filesReverted: ['a', 'b'] })
  expect(await readTree(moved)).toMatchObject({ a: '1\n' })
  const { operations } = (await inDirectory(p, moved, 'op', 'log')) as {
    operations?: { verb: string }[]
  }
  expect(operations!.map(({ verb }) => verb)).toContain('session-rename')
  await rename(moved, p.s.project)
})

test('[FT15] a lost session of a deleted project is rescued, and reads as before', async () => {
  const p = await session()
  const before = await p.log()
  const { path } = await p.agent.transcript(p.id)
  await rm(path)
  await rename(p.s.project, join(p.s.root, 'moved'))
  const rescued = await inDirectory(p, p.s.root, 'rescue', p.id.slice(0, 8), '--yes')
  expect(rescued).toMatchObject({ exit: 0, session: p.id })
  const id = String((rescued as { newSession?: string }).newSession)
  const log = await inDirectory(p, p.s.root, 'log', '--session', id)
  expect(log).toMatchObject({ exit: 0, turns: before.map(({ prompt }) => ({ prompt })) })
})
