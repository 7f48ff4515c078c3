import { describe, expect, test } from 'vitest'
import { noMarks, plainBranch, type BranchMark, type Marks } from './marks.ts'
import { checkName } from './name-rules.ts'
import { buildTree, stateOf, type KnownOfTree } from './tree.ts'
import type { Turn, TurnId } from './turn.ts'

/** `b<a` is turn b, which went on from a; in the order they were written. */
function turnsOf(text: string): Turn[] {
  return text.split(' ').map((word) => {
    const [id, parent] = word.split('<') as [TurnId, TurnId | undefined]
    return {
      id,
      parent: parent ?? null,
      kind: 'prompt',
      prompt: id,
      at: null,
      absorbed: [],
      interrupted: false,
      parentMissing: false,
      summarized: false,
    }
  })
}

const treeOf = (text: string, head: string, known: Partial<KnownOfTree> = {}) =>
  buildTree('s', turnsOf(text), head as TurnId, { tip: null, marks: noMarks, ...known })

function marked(branches: Record<string, Partial<BranchMark>>): Marks {
  const entries = Object.entries(branches)
  return {
    ...noMarks,
    branches: new Map(entries.map(([id, mark]) => [id, { ...plainBranch, ...mark }])),
  }
}

//  a ─ b ─ c        the trunk, s
//  └─ d ─ e         d
//     └─ f          f
const forked = 'a b<a c<b d<a e<d f<d'

describe('the line that redo follows', () => {
  test('[B6] is the branch that was last moved along, not the one written last', () => {
    expect(treeOf(forked, 'a').line).toEqual(['a', 'd', 'f'])
    expect(treeOf(forked, 'a', { tip: 'c' as TurnId }).line).toEqual(['a', 'b', 'c'])
    expect(treeOf(forked, 'd', { tip: 'e' as TurnId })).toMatchObject({
      line: ['a', 'd', 'e'],
      current: { id: 'd' },
    })
  })

  test('[sem.C6] is another one once a prompt came elsewhere, and grows with its branch', () => {
    expect(treeOf(forked, 'f', { tip: 'c' as TurnId }).line).toEqual(['a', 'd', 'f'])
    expect(treeOf(`${forked} g<c`, 'a', { tip: 'c' as TurnId }).line).toEqual(['a', 'b', 'c', 'g'])
  })

  test('[K1] never leads into a deleted branch, unless the agent stands there itself', () => {
    const marks = marked({ d: { deleted: true }, f: { deleted: true } })
    expect(treeOf(forked, 'a', { marks }).line).toEqual(['a', 'b', 'c'])
    expect(treeOf(forked, 'd', { marks: marked({ d: { deleted: true } }) }).line).toEqual([
      'a',
      'd',
      'f',
    ])
    const there = treeOf(forked, 'd', { marks })
    expect(there.line).toEqual(['a', 'd', 'f'])
    expect(stateOf(there, 'd' as TurnId)).toBe('active')
  })
})

test('[K1] a tombstone lies over a branch’s own turns; what another branch shares stays', () => {
  const deleted = (marks: Marks) => [...treeOf(forked, 'c', { marks }).deleted]
  expect(deleted(marked({ d: { deleted: true } }))).toEqual(['e'])
  expect(deleted(marked({ f: { deleted: true } }))).toEqual(['f'])
  expect(deleted(marked({ d: { deleted: true }, f: { deleted: true } }))).toEqual(['d', 'e', 'f'])
  // The trunk, while the session stands on another branch: its first turn is that branch's too.
  const tree = treeOf(forked, 'f', { marks: marked({ s: { deleted: true } }) })
  expect([...tree.deleted]).toEqual(['b', 'c'])
})

test('[W18] a name cannot be taken for a number, an id, a range or an option', () => {
  const bad = ['', ' ', '7', '0012', 'cafe', 'DEAD-beef', 'main:3', 'a..b', '-x', ' x', 'a\nb', 'a\u202eb', 'x'.repeat(81)] // prettier-ignore
  expect(bad.filter((name) => checkName(name) === null)).toEqual([])
  const good = ['works', 'try JWT', 'v1.2', 'feature/login', 'caf', 'ünï', '修正', 'abc-x', 'a.b']
  expect(good.filter((name) => checkName(name) !== null)).toEqual([])
})
