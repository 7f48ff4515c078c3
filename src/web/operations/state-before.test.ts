import { expect, test } from 'vitest'
import type { TreeView } from '#protocol'
import { stateBefore } from './state-before.ts'

const turn = (id: string, state: string) => ({ id, state }) as never
const tree: Pick<TreeView, 'head' | 'branches'> = {
  head: 'b',
  branches: [
    { id: 'trunk', turns: [turn('a', 'active'), turn('b', 'active'), turn('c', 'undone')] },
    { id: 'left', turns: [turn('x', 'other')] },
  ] as never,
}
const place = (id: string | null) => (id === null ? null : { id, number: 2 })
const from = (id: string | null, to: string | null, paths: readonly string[] = []) => {
  const files = paths.map((path) => ({ path }))
  return stateBefore({ receipt: { from: place(id), to: place(to) }, files } as never, tree)
}

test('[U9] the state before an operation is reached by a rewind on its line, by a switch on another', () => {
  expect(from('c', 'a')).toMatchObject({ kind: 'plan', body: { verb: 'rewind', turn: 'c' } })
  expect(from('x', 'b')).toMatchObject({
    kind: 'plan',
    body: { verb: 'switch', branch: 'left', turn: 'x' },
  })
  expect(from(null, 'a')).toMatchObject({ kind: 'plan', body: { verb: 'rewind', turn: '0' } })
})

test('[U9] an operation that only wrote files leads to the files of its turn', () => {
  expect(from('a', 'a', ['x.txt', 'y.txt'])).toEqual({
    kind: 'plan',
    label: 'Restore its files as of turn 2…',
    body: { verb: 'restore', files: ['x.txt', 'y.txt'], at: 'a' },
  })
  expect(from('a', 'a')).toBe(null)
  expect(from(null, null, ['x.txt'])).toBe(null)
})

test('[U9] there is no target if the session is already there or lost the turn', () => {
  expect(from('b', 'a')).toMatchObject({ why: 'The session is already there.' })
  expect(from('gone', 'a')).toMatchObject({ why: 'That turn is no longer in the transcript.' })
})
