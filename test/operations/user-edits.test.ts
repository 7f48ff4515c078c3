import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from './played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`

// The conversation always keeps its first turn (sem.C9), so the second one is undone.
const start = {
  files: { f: lines('a', 'b', 'c', 'd', 'e', 'f'), g: lines('p', 'q', 'r') },
  turns: {
    hello: 'hi',
    T1: [[edit('f', 'b', 'X'), edit('g', 'q', 'Q'), write('made', lines('x', 'y'))], 'done'],
  },
} as const
const session = playedOnce(start)

async function contents(p: Played, ...paths: string[]): Promise<(string | null)[]> {
  return Promise.all(paths.map((path) => p.s.read(path).catch(() => null)))
}

test('[U3][F10][sem.V1] the user’s changes elsewhere in the file stay through undo and redo', async () => {
  const p = await session()
  await p.s.write('f', lines('a', 'X', 'c', 'd', 'H', 'f'))

  expect(await p.run('undo')).toMatchObject({
    filesReverted: ['f', 'g', 'made'],
    filesKept: ['f'],
    turnsUndone: 1,
  })
  expect(await contents(p, 'f', 'g', 'made')).toEqual([
    lines('a', 'b', 'c', 'd', 'H', 'f'),
    lines('p', 'q', 'r'),
    null,
  ])
  await p.run('redo')
  expect(await contents(p, 'f', 'g', 'made')).toEqual([
    lines('a', 'X', 'c', 'd', 'H', 'f'),
    lines('p', 'Q', 'r'),
    lines('x', 'y'),
  ])
  // An edit between undo and redo stays too, and the next undo keeps it.
  await p.run('undo')
  await p.s.write('f', lines('a', 'b', 'c', 'd', 'H', 'H2'))
  await p.run('redo')
  expect(await p.s.read('f')).toBe(lines('a', 'X', 'c', 'd', 'H', 'H2'))
  await p.run('undo')
  expect(await p.s.read('f')).toBe(lines('a', 'b', 'c', 'd', 'H', 'H2'))
})

test('[B10][F5][F10][I4][sem.M7] an edit of the same lines stops everything, with file and lines in the message', async () => {
  const p = await session()
  await p.s.write('f', lines('a', 'XH', 'c', 'd', 'e', 'f'))

  const refusal = await p.refused('undo')
  expect(refusal).toMatchObject({ exit: 4, code: 'conflict' })
  expect(refusal.message).toMatch(/\bf\b.*line 2/)
  expect(refusal.hint).toMatch(/keep-mine.*put-back.*mark/)
  const said = await p.s.retake('undo')
  expect(said).toMatchObject({ code: 4, stdout: '' })
  expect(said.stderr).toMatch(
    /conflict f .*both changed the same lines\n.*you and the agent both changed line 2/,
  )

  const plan = await p.read<PlanView>('undo', '--dry-run')
  expect(plan).toMatchObject({
    turns: 1,
    messages: 3,
    conversation: 'move',
    target: { prompt: 'T1' },
  })
  expect(plan.files).toMatchObject([
    {
      path: 'f',
      verb: 'conflict',
      choices: ['keep-mine', 'put-back', 'mark'],
      conflicts: [{ yours: [2, 2], theirs: [2, 2] }],
    },
    {
      path: 'g',
      verb: 'restore',
      added: 1,
      removed: 1,
      linesNow: 3,
      linesAfter: 3,
      timesChanged: 1,
    },
    { path: 'made', verb: 'delete', added: 0, removed: 2, linesNow: 2, linesAfter: 0 },
  ])
  expect(await p.line()).toEqual(['hello', 'T1'])
})

test('[B10][sem.M7][sem.V2] each choice in a conflict, and the redo after it', async () => {
  const p = await session()
  const mine = lines('a', 'XH', 'c', 'd', 'e', 'f')
  const [out, gOut, gIn] = [
    lines('a', 'b', 'c', 'd', 'e', 'f'),
    lines('p', 'q', 'r'),
    lines('p', 'Q', 'r'),
  ]

  // keep-mine: f is not part of the undo or of its redo (sem example 12).
  await p.s.write('f', mine)
  const kept = await p.run('undo', '--on-conflict', 'keep-mine')
  expect(kept).toMatchObject({ filesReverted: ['g', 'made'], filesKept: ['f'] })
  expect(await contents(p, 'f', 'g')).toEqual([mine, gOut])
  await p.run('redo')
  expect(await contents(p, 'f', 'g')).toEqual([mine, gIn])

  // put-back: the user's line is removed and kept in the store; redo brings it back (X7).
  await p.reset()
  await p.s.write('f', mine)
  expect(await p.run('undo', '--on-conflict', 'put-back')).toMatchObject({
    filesReverted: ['f', 'g', 'made'],
  })
  expect(await contents(p, 'f', 'g')).toEqual([out, gOut])
  const { contents: held } = await p.read<{ contents: { id: string }[] }>('where', 'f')
  const bytes = await Promise.all(
    held.map(async ({ id }) => (await p.s.retake('where', 'f', '--content', id)).stdout),
  )
  expect(bytes).toContain(mine)
  await p.run('redo')
  expect(await contents(p, 'f', 'g')).toEqual([mine, gIn])

  // mark: both versions are in the file; redo brings the user's back.
  await p.reset()
  await p.s.write('f', mine)
  await p.run('undo', '--on-conflict', 'mark')
  expect(await p.s.read('f')).toMatch(/^a\n<<<<<<< .*\nXH\n[\s\S]*=======\nb\n>>>>>>> .*\nc\n/)
  await p.run('redo')
  expect(await contents(p, 'f', 'g')).toEqual([mine, gIn])
})

test('[U3][FT9][sem.M2] files that the user deleted, recreated or continued are theirs', async () => {
  const p = await session()

  // Sem example 10: the agent created it, the user continued it.
  await p.s.write('made', lines('x', 'y', 'H'))
  expect(await p.refused('undo')).toMatchObject({ exit: 4, message: expect.stringMatching(/made/) })
  await p.run('undo', '--on-conflict', 'keep-mine')
  expect(await contents(p, 'made', 'g')).toEqual([lines('x', 'y', 'H'), lines('p', 'q', 'r')])
  await p.run('redo')
  expect(await contents(p, 'made', 'g')).toEqual([lines('x', 'y', 'H'), lines('p', 'Q', 'r')])

  // The user deletes a file that the agent created, as the undo would.
  await p.reset()
  await rm(join(p.s.project, 'made'))
  await p.run('undo')
  expect(await contents(p, 'made', 'f')).toEqual([null, start.files.f])
  await p.run('redo')
  expect(await contents(p, 'made', 'g')).toEqual([null, lines('p', 'Q', 'r')])

  // The user deletes a file that the agent changed: it is not brought back against their will.
  await p.reset()
  await rm(join(p.s.project, 'f'))
  expect(await p.refused('undo')).toMatchObject({
    exit: 4,
    message: expect.stringMatching(/\bf\b/),
  })
  await p.run('undo', '--on-conflict', 'put-back')
  expect(await p.s.read('f')).toBe(start.files.f)
  await p.run('op', 'undo')
  expect(await contents(p, 'f', 'g')).toEqual([null, lines('p', 'Q', 'r')])

  // After the undo the user creates a file where the redo would.
  await p.reset()
  await p.run('undo')
  await p.s.write('made', 'mine\n')
  expect(await p.refused('redo')).toMatchObject({ exit: 4, message: expect.stringMatching(/made/) })
  await p.s.write('made', lines('x', 'y'))
  await p.run('redo')
  expect(await contents(p, 'made', 'f')).toEqual([
    lines('x', 'y'),
    lines('a', 'X', 'c', 'd', 'e', 'f'),
  ])
})
