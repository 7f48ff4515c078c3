import { expect, test } from 'vitest'
import { noMarks, plainBranch, type BranchMark } from './marks.ts'
import { findRetries, firstApart } from './retries.ts'
import { buildTree, type Tree } from './tree.ts'
import type { Turn, TurnId } from './turn.ts'

/** A session at `head`, with turns as `id<parent`, oldest first. */
function treeOf(
  turns: string,
  head: string,
  said: { branches?: Record<string, Partial<BranchMark>>; checkpoints?: string[] } = {},
): Tree {
  const list = turns.split(' ').map((each): Turn => {
    const [id, parent] = each.split('<')
    return {
      id: id as TurnId,
      parent: (parent ?? null) as TurnId | null,
      kind: 'prompt',
      prompt: `prompt ${id}`,
      at: null,
      absorbed: [],
      interrupted: false,
      parentMissing: false,
      summarized: false,
    }
  })
  const marks = {
    ...noMarks,
    branches: new Map(
      Object.entries(said.branches ?? {}).map(([id, mark]) => [id, { ...plainBranch, ...mark }]),
    ),
    checkpoints: (said.checkpoints ?? []).map((turn) => ({
      name: `at ${turn}`,
      turn: turn as TurnId,
      at: '',
    })),
  }
  return buildTree('trunk', list, head as TurnId, { tip: null, marks })
}
const retries = (...args: Parameters<typeof treeOf>) => [...findRetries(treeOf(...args))]

test('[W10] every line left by going back and prompting again is a try, however long', () => {
  expect(retries('a b<a', 'b')).toEqual([])
  expect(retries('a b<a c<a', 'c')).toEqual(['trunk'])
  expect(retries('a b<a c<a d<a', 'd')).toEqual(['trunk', 'c'])
  expect(retries('a b<a b2<b b3<b2 c<a d<c', 'd')).toEqual(['trunk'])
  // Back on the first try, the second one is the try.
  expect(retries('a b<a c<a', 'b')).toEqual(['c'])
  // After the conversation was emptied and started again; and a try inside another try.
  expect(retries('a b', 'b')).toEqual(['trunk'])
  expect(retries('a b<a c<b d<b e<a', 'e')).toEqual(['trunk', 'd'])
})

test('[W10] the current line is never a try, even while its turns are undone', () => {
  expect(retries('a b<a c<a', 'a')).toEqual(['trunk'])
  expect(retries('a b<a c<b', 'a')).toEqual([])
})

test('[W10] a name, an own checkpoint or being the main branch keeps a branch listed', () => {
  const turns = 'a b<a c<a d<a'
  expect(retries(turns, 'd', { branches: { c: { name: 'try JWT' } } })).toEqual(['trunk'])
  expect(retries(turns, 'd', { branches: { trunk: { canonical: true } } })).toEqual(['c'])
  expect(retries(turns, 'd', { checkpoints: ['c'] })).toEqual(['trunk'])
  expect(retries(turns, 'd', { checkpoints: ['b'] })).toEqual(['c'])
  // A checkpoint on a shared turn belongs to the current line.
  expect(retries(turns, 'd', { checkpoints: ['a'] })).toEqual(['trunk', 'c'])
  // Archiving a branch does not make it matter more.
  expect(retries(turns, 'd', { branches: { c: { archived: true } } })).toEqual(['trunk', 'c'])
  expect(retries(turns, 'd', { branches: { c: { deleted: true } } })).toEqual(['trunk'])
})

test('[W10] the same turn distinguishes a branch, whether or not it is current', () => {
  const apart = (turns: string, head: string) => {
    const tree = treeOf(turns, head)
    return tree.branches.map((branch) => firstApart(tree, branch)).join(' ')
  }
  expect(apart('a b<a c<b d<a', 'd')).toBe('b d')
  expect(apart('a b<a c<b d<a', 'c')).toBe('b d')
  // With several forks, the nearest one counts.
  expect(apart('a b<a c<b d<c x<a y<c', 'y')).toBe('d x y')
  expect(apart('a b<a c<b d<c x<a y<c', 'd')).toBe('d x y')
  expect(apart('a b<a', 'b')).toBe('a')
})
