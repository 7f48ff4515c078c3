import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putCells } from '#store'
import { cellsFromLinks, type ProjectPath, type TurnId, type Value } from '#timeline'
import {
  leftAloneBy,
  leftAloneIn,
  leftModes,
  noteLeftAlone,
} from '../../src/engine/witness/left-alone.ts'
import { leftShared, noteShared } from '../../src/engine/witness/left-shared.ts'
import type { CombinedLink } from '../../src/engine/witness/combined-link.ts'
import { directoryMode, LEFT_OUT_WORDS } from '../../src/snapshots/entry-value.ts'
import { world } from '../crash/world.ts'

const absent: Value = { kind: 'absent' }
const ignored: Value = { kind: 'unknown', why: LEFT_OUT_WORDS.ignored }
const repository: Value = { kind: 'unknown', why: LEFT_OUT_WORDS.repository }
const [first, second] = ['t1', 't2'] as TurnId[] as [TurnId, TurnId]

test('[sem.A5] changes to ignored directories, repositories and modes are one line each', () => {
  using w = world()
  const store = w.open()
  const project = { store, path: w.project }
  const note = (
    turn: TurnId,
    path: string,
    before: Value,
    after: Value,
    kind: CombinedLink['author']['kind'] = 'turn',
  ): void =>
    noteLeftAlone(store, {
      path: path as ProjectPath,
      before,
      after,
      author: { kind, id: turn },
    })
  const named = (...turns: TurnId[]): string[] =>
    leftAloneBy(
      project,
      turns.map((id) => ({ id, ranCommands: false })),
      ['gone'],
    ).map(({ path, kind, why }) => `${kind} ${path}: ${why}`)

  note(first, 'dist', absent, ignored)
  note(first, 'dist', ignored, ignored)
  note(first, 'passing', absent, ignored)
  note(first, 'passing', ignored, absent)
  note(first, 'sub', directoryMode(0o755), directoryMode(0o700))
  note(first, 'sub', directoryMode(0o700), directoryMode(0o711))
  note(first, 'back', directoryMode(0o755), directoryMode(0o700))
  note(first, 'back', directoryMode(0o700), directoryMode(0o755))
  note(first, 'gone', directoryMode(0o755), directoryMode(0o700))
  note(first, 'by-others', absent, ignored, 'outside')
  note(first, 'app/.git', absent, repository, 'unsure')
  expect(leftAloneIn(store, first).map(({ path, change }) => `${path} ${change}`)).toEqual([
    'dist made',
    'sub changed',
    'gone changed',
    'app/.git made',
  ])
  mkdirSync(join(w.project, 'dist'))
  mkdirSync(join(w.project, 'app'))
  writeFileSync(join(w.project, 'app/.git'), 'gitdir: elsewhere\n')
  expect(named(first)).toEqual([
    'nested-repository app/.git: a git worktree that was created here stays; `git worktree remove --force app` removes it',
    'ignored dist/: an ignored directory that was created stays',
    'directory-mode sub/: its mode changed from 755 to 711 and stays that way',
  ])
  writeFileSync(join(w.project, 'app/.git'), 'gitdir: ../.git/modules/app\n')
  expect(named(first)[0]).toBe(
    'nested-repository app/.git: a git submodule that was added here stays, with its directory and its entry in git’s index',
  )
  note(second, 'dist', ignored, absent)
  expect(named(second)[0]).toMatch(/^ignored dist\/: an ignored directory was deleted/u)
})

test('[sem.A5] redo lists what it does not restore, but nothing that is already as the turn left it', () => {
  using w = world()
  const store = w.open()
  const project = { store, path: w.project }
  const note = (path: string, before: Value, after: Value): void =>
    noteLeftAlone(store, {
      path: path as ProjectPath,
      before,
      after,
      author: { kind: 'turn', id: first },
    })
  const redone = (): string[] =>
    leftAloneBy(project, [{ id: first, ranCommands: false, comesIn: true }], []).map(
      ({ path, why }) => `${path}: ${why}`,
    )
  note('app/.git', absent, repository)
  note('dist', absent, ignored)
  note('old/.git', repository, absent)
  note('sub', directoryMode(0o755), directoryMode(0o700))
  mkdirSync(join(w.project, 'sub'), { mode: 0o755 })
  mkdirSync(join(w.project, 'old/.git'), { recursive: true })
  expect(redone()).toEqual([
    'app/.git: a git repository that was made here is not restored',
    'dist/: an ignored directory that was made is not restored',
    'old/.git: a git repository that was deleted is here again and stays',
    'sub/: its mode was 700 and stays 755',
  ])
  for (const path of ['app/.git', 'dist']) mkdirSync(join(w.project, path), { recursive: true })
  rmdirSync(join(w.project, 'old/.git'))
  chmodSync(join(w.project, 'sub'), 0o700)
  expect(redone()).toEqual([])
})

test('[sem.A5] what one undone turn made and another deleted is not listed', () => {
  using w = world()
  const store = w.open()
  const note = (turn: TurnId, path: string, before: Value, after: Value): void =>
    noteLeftAlone(store, { path: path as ProjectPath, before, after, author: { kind: 'turn', id: turn } }) // prettier-ignore
  note(first, 'app/.git', absent, repository)
  note(second, 'app/.git', repository, absent)
  note(first, 'old', ignored, absent)
  note(second, 'old', absent, ignored)
  note(first, 'sub', directoryMode(0o755), directoryMode(0o700))
  note(second, 'sub', directoryMode(0o700), directoryMode(0o711))
  note(first, 'same', directoryMode(0o755), directoryMode(0o700))
  note(second, 'same', directoryMode(0o700), directoryMode(0o755))
  for (const path of ['old', 'sub', 'same']) mkdirSync(join(w.project, path))
  const named = (comesIn: boolean): string[] =>
    leftAloneBy(
      { store, path: w.project },
      [first, second].map((id) => ({ id, ranCommands: false, comesIn })),
      [],
    ).map(({ path, why }) => `${path}: ${why}`)
  expect(named(false)).toEqual([
    'old/: an ignored directory changed; files in it that were never recorded stay as they are',
    'sub/: its mode changed from 755 to 711 and stays that way',
  ])
  chmodSync(join(w.project, 'sub'), 0o711)
  expect(named(true)).toEqual([
    'old/: an ignored directory changed; files in it that were never recorded stay as they are',
  ])
})

test('[sem.A5] a turn lists what its commands may have changed and another turn owns', () => {
  using w = world()
  const store = w.open()
  const path = 'f' as ProjectPath
  const links = [{ seq: 1, path, renamedFrom: null, before: absent, after: ignored, author: { kind: 'shared', turn: second }, madeDirectories: [] }] as const // prettier-ignore
  putCells(store, cellsFromLinks(links))
  noteShared(store, { path, author: { kind: 'shared', id: second }, sharedWith: [first] } as never)
  const why = 'commands of more than one turn ran then; the other turn has it'
  expect(leftShared(store, [first])).toEqual([{ path, kind: 'shared', why }])
  // The plan for both already lists it as unsure.
  expect(leftShared(store, [first, second])).toEqual([])
  putCells(store, cellsFromLinks(links).map((cell) => ({ ...cell, in: false }))) // prettier-ignore
  expect(leftShared(store, [first])).toEqual([])
})

test('[sem.A5] a directory whose mode differs from before the turns is listed', () => {
  using w = world()
  mkdirSync(join(w.project, 'd'), { mode: 0o700 })
  mkdirSync(join(w.project, 'same'), { mode: 0o755 })
  const wanted = ['d', 'same', 'gone'].map((path) => ({ path: path as ProjectPath, mode: 0o755 }))
  expect(leftModes(w.project, wanted)).toEqual([
    { path: 'd/', kind: 'directory-mode', why: 'its mode was 755 and stays 700' },
  ])
})
