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
const place = (id: string | null) => (id === null ? null : { id, number: null })
const from = (id: string | null, to: string | null) =>
  stateBefore({ receipt: { from: place(id), to: place(to) } } as never, tree)

test('[U9] the state before an operation: along the line by a rewind, on another line by a switch', () => {
  expect(from('c', 'a')).toEqual({ kind: 'plan', body: { verb: 'rewind', turn: 'c' } })
  expect(from('x', 'b')).toEqual({
    kind: 'plan',
    body: { verb: 'switch', branch: 'left', turn: 'x' },
  })
  expect(from(null, 'a')).toEqual({ kind: 'plan', body: { verb: 'rewind', turn: '0' } })
})

test('[U9] there is nowhere to go where the session stands there, never moved, or lost the turn', () => {
  expect(from('b', 'a')).toEqual({ kind: 'none', why: 'The session stands there already.' })
  expect(from('gone', 'a')).toMatchObject({ kind: 'none' })
  expect(from('a', 'a')).toBe(null)
})
