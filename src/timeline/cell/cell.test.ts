import { describe, expect, test } from 'vitest'
import { addLink, cellsFromLinks } from './cell-links.ts'
import { filesStateOf, stayOut, wasIn, type Author, type Cell, type Link } from './cell.ts'
import type { TurnId } from '../data/turn.ts'
import { absent, type ContentId, type ProjectPath, type Value } from '../data/value.ts'

const by = (turn: string): Author => ({ kind: 'turn', turn: turn as TurnId })
const file = (id: string): Value => ({ kind: 'file', content: id as ContentId, mode: 0o644 })
let seq = 0

function link(path: string, before: Value, after: Value, author: Author, from?: string): Link {
  return {
    seq: ++seq,
    path: path as ProjectPath,
    renamedFrom: (from ?? null) as ProjectPath | null,
    before,
    after,
    author,
  }
}

describe('cells from links', () => {
  test('[cell.1] a change by someone else in between makes the effect a list', () => {
    const cells = cellsFromLinks([
      link('f', file('a'), file('b'), by('t1')),
      link('f', file('b'), file('c'), { kind: 'outside' }),
      link('f', file('c'), file('d'), by('t1')),
      link('f', file('d'), file('e'), by('t1')),
    ])
    expect(cells).toMatchObject([
      {
        turn: 't1',
        eff: [
          { before: file('a'), after: file('b') },
          { before: file('c'), after: file('e') },
        ],
        changes: 3,
        in: true,
        last: null,
      },
    ])
  })

  test('[cell.1] changes by people, git and operations make no cell', () => {
    const authors: Author[] = [{ kind: 'outside' }, { kind: 'git' }]
    expect(cellsFromLinks(authors.map((who) => link('f', file('a'), file('b'), who)))).toEqual([])
  })

  test('[sem.A5] an unsure change is a cell of its own', () => {
    const cells = cellsFromLinks([
      link('f', file('a'), file('b'), by('t1')),
      link('f', file('b'), file('c'), { kind: 'unsure', turn: 't1' as TurnId }),
    ])
    expect(cells.map(({ doubt }) => doubt)).toEqual([null, 'unsure'])
  })

  test('[sem.A4] a turn that is out and writes again gets a new cell', () => {
    const [cell] = cellsFromLinks([link('f', file('a'), file('b'), by('t1'))])
    const out: Cell = { ...cell!, in: false, since: seq + 1, earlier: [cell!.since] }
    const cells = addLink([out], link('f', file('a'), file('c'), by('t1')))
    expect(cells.map((each) => each.in)).toEqual([false, true])
    expect(cells[0]!.id).not.toBe(cells[1]!.id)
  })

  test('[sem.M5] an edit and a rename by one turn are one cell with two paths', () => {
    const cells = cellsFromLinks([
      link('old', file('a'), file('b'), by('t1')),
      link('new', file('b'), file('b'), by('t1'), 'old'),
      link('new', file('b'), file('c'), by('t1')),
    ])
    expect(cells).toMatchObject([
      { path: 'new', renamedFrom: 'old', eff: [{ before: file('a'), after: file('c') }] },
    ])
  })

  test('[sem.M5] a file created and renamed by one turn counts as created', () => {
    const cells = cellsFromLinks([
      link('old', absent, file('a'), by('t1')),
      link('new', file('a'), file('a'), by('t1'), 'old'),
    ])
    expect(cells).toMatchObject([
      { path: 'new', renamedFrom: null, eff: [{ before: absent, after: file('a') }] },
    ])
  })

  test('[cell.1] a turn that renames a file and deletes it has deleted it at its old path', () => {
    const rename = link('new', file('a'), file('b'), by('t1'), 'old')
    const deletion = link('new', file('b'), absent, by('t1'))
    const gone = { path: 'old', renamedFrom: null, eff: [{ before: file('a'), after: absent }] }
    expect(cellsFromLinks([rename, deletion])).toMatchObject([gone])
    const more = link('newer', file('b'), file('b'), by('t1'), 'new')
    const deleted = link('newer', file('b'), absent, by('t1'))
    expect(cellsFromLinks([rename, more, deleted])).toMatchObject([gone])
    const made = link('old', absent, file('c'), by('t1'))
    const eff = [{ before: file('a'), after: file('c') }]
    const last = link('new', file('b'), absent, by('t1'))
    expect(cellsFromLinks([rename, made, last])).toMatchObject([{ path: 'old', eff }])
  })

  test('[cell.1] a turn that renames a file and takes it back has changed it in place', () => {
    const rename = link('new', file('a'), file('b'), by('t1'), 'old')
    const back = link('old', file('b'), file('c'), by('t1'), 'new')
    const eff = [{ before: file('a'), after: file('c') }]
    expect(cellsFromLinks([rename, back])).toMatchObject([{ path: 'old', renamedFrom: null, eff }])
    expect(cellsFromLinks([rename, link('old', file('b'), file('a'), by('t1'), 'new')])).toEqual([])
  })

  test('[sem.M5] a rename stays one where another file was at its old path or changed it since', () => {
    const rename = link('new', file('a'), file('a'), by('t1'), 'old')
    const other = link('old', file('x'), file('x'), by('t1'), 'x')
    const deletion = link('new', file('a'), absent, by('t1'))
    const names = (links: readonly Link[]): unknown[] =>
      cellsFromLinks(links).map(({ renamedFrom }) => renamedFrom)
    expect(names([rename, other, deletion])).toEqual(['old', 'x', null])
    expect(names([rename, link('new', file('b'), absent, by('t1'))])).toEqual(['old', null])
    const theirs = link('old', absent, file('y'), by('t2'))
    expect(names([rename, theirs, deletion])).toEqual(['old', null, null])
  })
})

describe('sides', () => {
  const [made] = cellsFromLinks([link('f', file('a'), file('b'), by('t1'))])
  const at = made!.since

  test('[sem.V5] a cell knows its side at any time', () => {
    const cell: Cell = { ...made!, in: false, since: at + 30, earlier: [at, at + 10, at + 20] }
    const moments = [-1, 0, 9, 10, 19, 20, 29, 30, 99].map((more) => wasIn(cell, at + more))
    expect(moments).toEqual([false, true, true, false, false, true, true, false, false])
  })

  test('[cell.2] a turn is in, out, partly in or reverted according to its cells', () => {
    const inside = made!
    const outside = { ...made!, in: false }
    expect(filesStateOf([])).toBe('none')
    expect(filesStateOf([inside, inside])).toBe('in')
    expect(filesStateOf([inside, outside])).toBe('partly')
    expect(filesStateOf([outside])).toBe('out')
    expect(filesStateOf([{ ...outside, reverted: true }])).toBe('reverted')
  })

  test('[sem.C3] after a voided move, cells that are out stay out for good', () => {
    const cells = [made!, { ...made!, in: false }]
    const after = stayOut(cells, new Set(['t1' as TurnId]), 99)
    expect(after.map(({ reverted }) => reverted)).toEqual([false, true])
    expect(stayOut(cells, new Set(), 99)).toEqual(cells)
  })
})
