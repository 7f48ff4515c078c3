import { describe, expect, test } from 'vitest'
import type { OperationId } from '../cell/cell.ts'
import { memoryContents } from './contents.testing.ts'
import { noMarks, plainBranch, type BranchMark, type Marks } from './marks.ts'
import { checkName } from './name-rules.ts'
import { planFacts } from '../plan/plan-facts.ts'
import { makeModel } from '../plan/plan-model.testing.ts'
import { recordOperation } from '../plan/plan-operation.ts'
import type { Operation } from '../plan/plan-world.ts'
import { makePlan } from '../plan/plan.ts'
import { buildTree, stateOf, type KnownOfTree } from './tree.ts'
import type { Turn, TurnId } from './turn.ts'
import { FOLDS_NOTHING } from './name-folding.ts'

/** `b<a` is turn b, which continues from a, in the order in which they were written. */
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
  test('[B6] is the branch on which the session last moved, not the newest one', () => {
    expect(treeOf(forked, 'a').line).toEqual(['a', 'd', 'f'])
    expect(treeOf(forked, 'a', { tip: 'c' as TurnId }).line).toEqual(['a', 'b', 'c'])
    expect(treeOf(forked, 'd', { tip: 'e' as TurnId })).toMatchObject({
      line: ['a', 'd', 'e'],
      current: { id: 'd' },
    })
  })

  test('[sem.C6] changes with a prompt on another branch, and grows with its branch', () => {
    expect(treeOf(forked, 'f', { tip: 'c' as TurnId }).line).toEqual(['a', 'd', 'f'])
    expect(treeOf(`${forked} g<c`, 'a', { tip: 'c' as TurnId }).line).toEqual(['a', 'b', 'c', 'g'])
  })

  test('[K1] never leads into a deleted branch, unless the agent is there', () => {
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

test('[K1] deleting a branch hides its own turns; turns that another branch shares stay', () => {
  const deleted = (marks: Marks) => [...treeOf(forked, 'c', { marks }).deleted]
  expect(deleted(marked({ d: { deleted: true } }))).toEqual(['e'])
  expect(deleted(marked({ f: { deleted: true } }))).toEqual(['f'])
  expect(deleted(marked({ d: { deleted: true }, f: { deleted: true } }))).toEqual(['d', 'e', 'f'])
  // The trunk is deleted while the session is on another branch, which shares its first turn.
  const tree = treeOf(forked, 'f', { marks: marked({ s: { deleted: true } }) })
  expect([...tree.deleted]).toEqual(['b', 'c'])
})

describe('an operation that only sets names or marks', () => {
  const place = { turn: 'c' as TurnId, beforeFirst: false, tip: 'c' as TurnId }
  const says = (id: number, name: string, change: [unknown, unknown], session = 's') =>
    recordOperation(
      planFacts('branch-rename', [{ session, name, before: change[0], after: change[1] }], {
        place,
        seq: 0,
      }),
      { id: String(id) as OperationId, session },
    )
  const worldOf = (operations: readonly Operation[]) => ({
    line: [{ id: 'c' as TurnId, seq: 0 }],
    head: place.turn,
    beforeFirst: false,
    cells: [],
    latestMoves: new Map(),
    operations,
    seq: 0,
    contents: memoryContents(),
    now: new Map(),
    present: [],
    folding: FOLDS_NOTHING,
  })
  const undo = (operations: readonly Operation[], id: number) =>
    makePlan(worldOf(operations), { verb: 'op-undo', operation: String(id) as OperationId })

  test('[sem.O2] is undone by restoring the old value, and nothing moves', () => {
    expect(undo([says(1, 'branch:d', [null, { name: 'x' }])], 1)).toMatchObject({
      kind: 'plan',
      facts: [{ session: 's', name: 'branch:d', before: { name: 'x' }, after: null }],
      files: [],
      cells: [],
      from: place,
      to: place,
    })
  })

  test('[sem.O3] blocks undoing an older operation on the same value, and no other', () => {
    const moved = { ...says(2, 'x', [1, 2]), facts: [], to: { ...place, turn: 'b' as TurnId } }
    const later = says(3, 'branch:d', ['x', 'y'])
    const [first, elsewhere] = [says(1, 'branch:d', [null, 'x']), says(4, 'branch:d', [1, 2], 'o')]
    expect(undo([first, later], 1)).toMatchObject({ kind: 'refused', operations: ['3'] })
    expect(undo([first, moved, elsewhere], 1)).toMatchObject({ kind: 'plan' })
    // Names do not block undoing a move.
    expect(undo([moved, later], 2).kind).not.toBe('refused')
  })
})

test('[sem.O5] asks before restoring a whole tree from another git branch', () => {
  const model = makeModel({ f: 'a b c' })
  model.agent('t1', { f: 'a X c' })
  const line = model.lineTo('t1' as TurnId).map((turn) => ({ ...turn, gitBranch: 'feature' }))
  const request = {
    verb: 'exact',
    to: 't1' as TurnId,
    target: { seq: 99, values: new Map() },
  } as const
  const world = { ...model.world(request), line, gitBranch: 'main' }
  const outcome = makePlan(world, request, { doesMore: true })
  expect(outcome).toMatchObject({ asks: [{ code: 'other-git-branch', turns: ['t1'] }] })
})

test('[W18] a name that looks like a number, an id, a range or an option is refused', () => {
  const bad = ['', ' ', '7', '0012', 'cafe', 'DEAD-beef', 'main:3', 'a..b', '-x', ' x', 'a\nb', 'a\u202eb', 'x'.repeat(81)] // prettier-ignore
  expect(bad.filter((name) => checkName(name) === null)).toEqual([])
  const good = ['works', 'try JWT', 'v1.2', 'feature/login', 'caf', 'ünï', '修正', 'abc-x', 'a.b']
  expect(good.filter((name) => checkName(name) !== null)).toEqual([])
})
