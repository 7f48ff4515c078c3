import { expect, test } from 'vitest'
import { layOut, type Lane } from './lay-out.ts'

function lane(id: string, fork: string | null, turns: readonly string[], head = ''): Lane {
  return {
    id,
    session: 's',
    branch: id,
    name: id,
    current: false,
    archived: false,
    fork,
    turns: turns.map((turn) => ({
      id: turn,
      number: null,
      prompt: turn,
      state: 'active',
      children: 0,
      checkpoints: [],
      session: 's',
      isHead: turn === head,
    })),
  }
}

const lanes = [
  lane('trunk', null, ['a', 'b', 'c', 'd', 'e', 'f']),
  lane('early', 'b', ['x', 'y']),
  lane('late', 'd', ['z'], 'z'),
]

test('[W13] every turn has a column of its own, and no line crosses a lane between fork and branch', () => {
  const { nodes, edges, lanes: drawn, width } = layOut(lanes, true)
  expect(drawn.map(({ lane: { id }, y }) => `${id} ${y}`)).toEqual(['trunk 0', 'late 1', 'early 2'])
  expect(nodes.map(({ turn, x, y }) => `${turn.id}${x}${y}`).join(' ')).toBe(
    'a00 b10 c20 d30 e40 f50 z41 x22 y32',
  )
  expect(width).toBe(6)
  for (const { from, to } of edges)
    for (const { y, lane: between } of drawn)
      if (y > from.y && y < to.y)
        expect(nodes.filter((node) => node.lane === between).every(({ x }) => x > from.x)).toBe(
          true,
        )
})

test('[W13] forks only: what is left out is counted, and nothing that tells is left out', () => {
  const { nodes, edges } = layOut(lanes, false)
  expect(nodes.map(({ turn, x }) => `${turn.id}${x}`).join(' ')).toBe('a0 b1 d3 f5 z4 x2 y3')
  expect(
    edges.filter(({ hidden }) => hidden > 0).map(({ to, hidden }) => [to.turn.id, hidden]),
  ).toEqual([
    ['d', 1],
    ['f', 1],
  ])
})

test('a branch whose fork is not there is drawn all the same', () => {
  expect(layOut([lane('lost', 'gone', ['p', 'q'])], true).nodes).toHaveLength(2)
})
