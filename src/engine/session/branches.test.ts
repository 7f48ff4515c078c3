import { expect, test } from 'vitest'
import type { Failure } from '#failure'
import { buildTree, noMarks, plainBranch, type BranchMark, type Turn, type TurnId } from '#timeline'
import { crowdOf } from './branch-limit.ts'
import { findBranch, reportBranches } from './branches.ts'

const DAY = 86_400_000
const now = Date.UTC(2026, 0, 31)
const usual = { autoArchiveDays: null, branchLimit: 20, branchWarning: 15, now }

/** A trunk, and branches of one turn each; branch n got its turn n days ago. */
function treeWith(branches: number, marks: Record<string, Partial<BranchMark>> = {}) {
  const turnOf = (id: string, parent: string | null, days: number): Turn => ({
    id: id as TurnId,
    parent: parent as TurnId | null,
    kind: 'prompt',
    prompt: id,
    at: new Date(now - days * DAY).toISOString(),
    absorbed: [],
    interrupted: false,
    parentMissing: false,
    summarized: false,
  })
  const turns = [
    turnOf('root', null, 100),
    turnOf('trunk', 'root', 0),
    ...Array.from({ length: branches }, (_, i) => turnOf(`branch-${i + 1}`, 'root', i + 1)),
  ]
  return buildTree('session', turns, 'trunk' as TurnId, {
    tip: null,
    marks: {
      ...noMarks,
      branches: new Map(
        Object.entries(marks).map(([id, mark]) => [id, { ...plainBranch, ...mark }]),
      ),
    },
  })
}

test('[W17] a branch without a new turn for this many days is archived, off by default, and never against the user’s choice', () => {
  const archived = (tree: ReturnType<typeof treeWith>, autoArchiveDays: number | null) =>
    reportBranches(tree, { ...usual, autoArchiveDays })
      .filter((branch) => branch.archived)
      .map(({ id }) => id)
  expect(archived(treeWith(3), null)).toEqual([])
  expect(archived(treeWith(3), 2)).toEqual(['branch-3'])
  const said = treeWith(3, { 'branch-3': { archived: false }, 'branch-1': { archived: true } })
  expect(archived(said, 2)).toEqual(['branch-1'])
  expect(archived(treeWith(3, { 'branch-3': { canonical: true } }), 2)).toEqual([])
})

test('[B12] 15 branches give a warning, 20 an offer to archive the oldest; archived ones do not count', () => {
  const crowd = (branches: number, marks = {}) =>
    crowdOf(reportBranches(treeWith(branches, marks), usual), usual)
  expect(crowd(13)).toMatchObject({ open: 14, state: 'fine', oldest: [] })
  expect(crowd(14)).toMatchObject({ open: 15, state: 'many', oldest: [] })
  const full = crowd(19)
  expect(full).toMatchObject({ open: 20, most: 20, state: 'full' })
  expect(full.oldest.map(({ id }) => id)).toEqual([
    'branch-19', 'branch-18', 'branch-17', 'branch-16', 'branch-15',
  ]) // prettier-ignore
  expect(crowd(19, { 'branch-19': { archived: true } })).toMatchObject({ open: 19, state: 'many' })
})

test('a branch is found by its name, its id or at least four characters of the id, if only one matches', () => {
  const tree = treeWith(3, { 'branch-1': { name: 'one' }, 'branch-3': { deleted: true } })
  const found = (text: string) => {
    try {
      return findBranch(tree, text).id
    } catch (error) {
      return (error as Failure).code
    }
  }
  expect(found('one')).toBe('branch-1')
  expect(found('branch-2')).toBe('branch-2')
  expect(found('main')).toBe('session')
  expect(found('sess')).toBe('session')
  expect(found('bran')).toBe('branch-ambiguous')
  expect(found('ses')).toBe('branch-not-found')
  expect(found('branch-3')).toBe('branch-not-found')
})
