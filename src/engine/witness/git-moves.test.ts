import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { gitMovesSince, readGitPlace } from '#snapshots'
import { noteGitMoves, putShellSteps } from '#store'
import type { TurnId } from '#timeline'
import { world } from '../../../test/crash/world.ts'
import { branchAtPrompt, gitMovesByTurn } from './git-moves.ts'
import type { Project } from '../project/project.ts'

test('[sem.O5] a checkout within a second after a step and its scan is not the turn’s', () => {
  using w = world()
  const store = w.open()
  const turn = 't1' as TurnId
  putShellSteps(store, [{ tool: 'Bash', session: 's', turn, began: 10_100, ended: 10_200 }])
  const move = {
    kind: 'checkout',
    command: 'checkout',
    old: 'a',
    new: 'b',
    from: 'main',
    to: 'other',
    at: 10_000,
  }
  const note = (since: number, seen: number): void =>
    noteGitMoves(store, [{ since, seen, at: move.at, move }])
  note(9_900, 10_300)
  // Git records whole seconds; the scans around the checkout are more precise.
  note(10_300, 10_900)
  expect(gitMovesByTurn({ store } as Project).get(turn)).toHaveLength(1)
})

test('[sem.O5] a rebase is one move, with the command that undoes all of it; an aborted one is none', () => {
  using w = world()
  const store = w.open()
  const [done, aborted] = ['t1', 't2'] as TurnId[]
  const step = (turn: TurnId, at: number) => ({ tool: turn, session: 's', turn, began: at, ended: at + 100 }) // prettier-ignore
  putShellSteps(store, [step(done!, 10_100), step(aborted!, 20_100)])
  const note = (at: number, ...parts: [string, string, string][]): void =>
    noteGitMoves(
      store,
      parts.map(([command, old, next]) => ({
        since: at,
        seen: at + 300,
        at,
        move: { kind: 'other', command, old, new: next, at },
      })),
    )
  note(
    10_000,
    ['rebase (start)', 'a', 'b'],
    ['rebase (pick)', 'b', 'c'],
    ['rebase (finish)', 'c', 'c'],
  )
  note(20_000, ['rebase (start)', 'c', 'd'], ['rebase (abort)', 'd', 'c'])
  const moves = gitMovesByTurn({ store } as Project)
  expect(moves.get(done!)).toEqual([
    { kind: 'other', did: 'git rebase', files: 0, undo: 'git reset --keep a' },
  ])
  expect(moves.get(aborted!)).toEqual([])
})

test('[sem.O5] a stash is named with the command that pops it, while it exists', () => {
  using w = world()
  const store = w.open()
  const turn = 't1' as TurnId
  putShellSteps(store, [{ tool: 'Bash', session: 's', turn, began: 10_100, ended: 10_200 }])
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], { cwd: w.path, encoding: 'utf8' }).trim() // prettier-ignore
  const stash = (text: string): string => {
    execFileSync('sh', ['-c', 'echo "$0" > a', text], { cwd: w.path })
    git('stash', '--quiet', '--include-untracked')
    return git('rev-parse', 'refs/stash')
  }
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'start')
  const move = { kind: 'stash', command: 'WIP', subject: 'WIP', old: '0', new: stash('one'), at: 10_000 } // prettier-ignore
  noteGitMoves(store, [{ since: 9_900, seen: 10_300, at: move.at, move }])
  const undo = (): string | undefined =>
    gitMovesByTurn({ store, path: w.path } as Project).get(turn)?.[0]?.undo
  expect(undo()).toBe('git stash pop')
  stash('two')
  expect(undo()).toBe('git stash pop stash@{1}')
  git('stash', 'drop', '--quiet', 'stash@{1}')
  expect(undo()).toBe('')
})

test('[sem.O5] a stash that a turn popped or dropped is named, unless the turn made it or it is back', () => {
  using w = world()
  const store = w.open()
  const turn = 't1' as TurnId
  putShellSteps(store, [{ tool: 'Bash', session: 's', turn, began: 10_100, ended: 10_200 }])
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], { cwd: w.path, encoding: 'utf8' }).trim() // prettier-ignore
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'start')
  execFileSync('sh', ['-c', 'echo mine > a; git add a'], { cwd: w.path })
  git('stash', '--quiet')
  const stash = git('rev-parse', 'refs/stash')
  const place = readGitPlace(w.path)!
  git('stash', 'drop', '--quiet')
  const note = (moves: readonly object[]): void =>
    noteGitMoves(store, moves.map((move) => ({ since: 9_900, seen: 10_300, at: 0, move }))) // prettier-ignore
  note(gitMovesSince(w.path, place))
  const named = () => gitMovesByTurn({ store, path: w.path } as Project).get(turn)
  const short = stash.slice(0, 7)
  expect(named()).toEqual([
    {
      kind: 'stash',
      did: `git stash pop or drop of ${short}`,
      files: 0,
      undo: `git stash store ${short}`,
    },
  ])
  git('stash', 'store', short)
  expect(named()).toEqual([])
  git('stash', 'drop', '--quiet')
  note([{ kind: 'stash', command: 'WIP', subject: 'WIP', old: '0', new: stash }])
  expect(named()).toMatchObject([{ did: 'git stash “WIP”', undo: '' }])
})

test('[sem.O5] a checkout seen before the prompt takes precedence over the branch that the agent recorded', () => {
  const move = { kind: 'checkout', from: 'main', to: 'feature' }
  const moves = [{ id: 1, since: 100, seen: 200, at: 0, move }]
  expect(branchAtPrompt(moves, 'main', 300)).toBe('feature')
  expect(branchAtPrompt(moves, 'main', 150)).toBe('main')
  expect(branchAtPrompt(moves, 'other', 300)).toBe('other')
  expect(branchAtPrompt(moves, null, 300)).toBe(null)
})
