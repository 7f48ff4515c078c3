import { expect, test } from 'vitest'
import type { LogView, PlanView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { scene } from '../scene.ts'
import { playedSession } from './played-session.ts'

test('[sem.M5] undo moves a renamed file back with your edits; an occupied old path is a conflict of both paths', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
  await using s = await scene({
    files: { 'src/a': text, 'src/b': text.toUpperCase(), 'src/c': 'c\n', 'src/stays': 's\n' },
    git: true,
  })
  const before = await s.files()
  using session = await playedSession(s)
  await session.turn(
    'move',
    { edit: 'src/b', old: 'SEVEN', new: 'SEVENTH' },
    { bash: ['mkdir lib; mv src/a lib/a; mv src/b lib/b; sed -i s/FIVE/FIFTH/ lib/b; mv src/c lib/c'] }, // prettier-ignore
  )
  const after = await s.files()
  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(
    log.turns[1]!.files.map(({ path, from, change }) =>
      [change, from, path].filter(Boolean).join(' '),
    ),
  ).toEqual(['modified src/b', 'renamed src/a lib/a', 'renamed src/b lib/b', 'renamed src/c lib/c'])
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(before)
  expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual(after)

  // Example 14: the edit moves with the file, and other people's files beside it stay.
  await s.write('lib/a', text.replace('seven', 'SEVEN'))
  await s.write('lib/n', 'n\n')
  expect(await s.retake('undo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({
    ...before,
    'src/a': text.replace('seven', 'SEVEN'),
    'lib/n': 'n\n',
  })
  expect(await s.retake('redo', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({
    ...after,
    'lib/a': text.replace('seven', 'SEVEN'),
    'lib/n': 'n\n',
  })

  // Example 15: an editor saves its old buffer to the old path.
  await s.write('src/a', 'old buffer\n')
  const conflict = await s.retake('undo', '--json')
  expect(conflict.code).toBe(4)
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.files.filter(({ verb }) => verb === 'conflict').map(({ path }) => path)).toEqual([
    'lib/a',
    'src/a',
  ])
  expect(await s.retake('undo', '--on-conflict', 'keep-mine', '--json')).toMatchObject({ code: 0 })
  expect(await s.files()).toEqual({
    ...before,
    'src/a': 'old buffer\n',
    'lib/a': text.replace('seven', 'SEVEN'),
    'lib/n': 'n\n',
  })
})
