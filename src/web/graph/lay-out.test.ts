import { expect, test } from 'vitest'
import type { Lane } from './lanes.ts'
import { findRow, idOf, layOut, type Graph } from './lay-out.ts'

/** A lane with these turns; a star marks a turn outside the line. */
function lane(id: string, fork: string | null, turns: string, head = ''): Lane {
  return {
    id,
    session: 's',
    branch: id,
    name: id,
    current: false,
    archived: false,
    fork,
    turns: turns.split(' ').map((turn) => ({
      id: turn.replace('*', ''),
      number: null,
      prompt: turn,
      at: null,
      state: turn.endsWith('*') ? 'other' : 'active',
      children: 0,
      checkpoints: [],
      session: 's',
      isHead: turn === head,
    })),
  }
}
/** Each row as its turn and column; a fold as the number of turns it hides. */
const drawn = ({ rows }: Graph): string =>
  rows
    .map((row) => `${row.kind === 'fold' ? `(${row.hidden})` : row.turn.id}${row.column}`)
    .join(' ')

test('[W10] one row per turn, newest on top; the current line is straight at the left, branches start above their fork', () => {
  const graph = layOut(
    [
      lane('trunk', null, 'a b c* d*'),
      lane('here', 'b', 'e f', 'f'),
      lane('early', 'a', 'x*'),
      lane('deep', 'c', 'y*'),
    ],
    false,
  )
  expect(drawn(graph)).toBe('f0 e0 d1 y2 c1 b0 x1 a0')
  expect(graph.columns).toBe(3)
  expect(
    graph.rows.flatMap((row) => (row.kind === 'turn' && row.tipOf ? row.tipOf.name : [])),
  ).toEqual(['here', 'trunk', 'deep', 'early'])
  const edges = graph.edges.map(({ turn, to }) => `${turn.id}>${idOf(graph.rows[to.row])}`)
  expect(edges.sort().join(' ')).toBe('b>a c>b d>c e>b f>e x>a y>c')
})

test('[W10] parallel lines have separate columns, and none crosses a dot', () => {
  const tries = ['p', 'q', 'r'].map((id) => lane(id, 'a', `${id}1* ${id}2*`))
  const graph = layOut([lane('trunk', null, 'a b', 'b'), ...tries], false)
  expect(drawn(graph)).toBe('b0 p21 p11 q22 q12 r23 r13 a0')
  for (const { from, to } of graph.edges)
    for (const [row, { column }] of graph.rows.entries())
      if (row > from.row && row < to.row) expect(column).not.toBe(from.column)
  // A line that ended frees its column.
  const apart = [lane('t', null, 'a b c', 'c'), lane('p', 'b', 'p1*'), lane('q', 'a', 'q1*')]
  expect(drawn(layOut(apart, false))).toBe('c0 p11 b0 q11 a0')
})

test('[W10] uneventful runs fold, show how many turns they hide, and unfold', () => {
  const lanes = [lane('t', null, 'a b c d e f g h', 'f'), lane('p', 'c', 'p1*')]
  const folded = layOut(lanes, true)
  // A single turn is not folded: the row of the fold would be as tall.
  expect(drawn(folded)).toBe('h0 g0 f0 (2)0 p11 c0 b0 a0')
  expect(folded.edges.filter(({ hidden }) => hidden).map(({ turn }) => turn.id)).toEqual(['f'])
  expect(drawn(layOut(lanes, true, new Set(['e'])))).toBe('h0 g0 f0 e0 d0 p11 c0 b0 a0')
})

test('a branch with a missing fork is still drawn', () => {
  expect(drawn(layOut([lane('lost', 'gone', 'p q')], false))).toBe('q0 p0')
})

test('[W10] arrow keys move through the rows, left and right from line to line', () => {
  const graph = layOut([lane('t', null, 'a b', 'b'), lane('p', 'a', 'p1* p2*')], false)
  const go = (from: string, key: string): string | undefined => {
    const found = findRow(graph, from, key)
    return found && idOf(found)
  }
  expect(drawn(graph)).toBe('b0 p21 p11 a0')
  expect(['b', 'p2', 'p1', 'a'].map((id) => go(id, 'ArrowDown'))).toEqual([
    'p2',
    'p1',
    'a',
    undefined,
  ])
  expect([go('a', 'ArrowUp'), go('a', 'Home'), go('b', 'End')]).toEqual(['p1', 'b', 'a'])
  expect([go('p2', 'ArrowLeft'), go('a', 'ArrowRight'), go('b', 'x')]).toEqual([
    'a',
    'p1',
    undefined,
  ])
})
