import { expect, test } from 'vitest'
import type { BranchesView } from '#protocol'
import { branchName, sortBranches } from './branch-name.ts'

type Branch = BranchesView['branches'][number]

function branch(id: string, given: Partial<Branch>): Branch {
  return {
    id,
    label: id.slice(0, 8),
    name: null,
    fork: 'turn-1',
    turns: 1,
    tip: id,
    current: false,
    archived: false,
    canonical: false,
    at: null,
    forkNumber: 1,
    length: 2,
    prompt: `Prompt of ${id}`,
    retry: false,
    promptApart: `Prompt of ${id}`,
    files: { files: 0, added: 0, removed: 0 },
    ...given,
  }
}
const trunk = { label: 'main', fork: null, prompt: 'The first prompt' }

test('[W10] the current line is listed first, named branches follow, and tries are separate', () => {
  const { listed, retries } = sortBranches([
    branch('trunk', { ...trunk, retry: true, promptApart: 'Use JWT' }),
    branch('named', { name: 'with cookies' }),
    branch('here', { current: true }),
    branch('again', { retry: true }),
  ])
  expect(listed.map((each) => branchName(each))).toEqual(['Prompt of here', 'with cookies'])
  expect(retries.map((each) => branchName(each))).toEqual(['Use JWT', 'Prompt of again'])
})

test('[W10] a branch is shown by its name, else by its first own prompt; without forks it is main', () => {
  expect(branchName(branch('trunk', { ...trunk, promptApart: trunk.prompt }))).toBe('main')
  expect(branchName(branch('trunk', { ...trunk, promptApart: 'Use JWT', current: true }))).toBe(
    'Use JWT',
  )
  expect(branchName(branch('trunk', { ...trunk, name: 'login' }))).toBe('login')
  expect(branchName(branch('b', { promptApart: 'A long prompt\nwith lines' }), 9)).toBe('A long p…')
})
