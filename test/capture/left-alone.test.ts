import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectPath, TurnId, Value } from '#timeline'
import { leftAloneBy, leftAloneIn, noteLeftAlone } from '../../src/engine/witness/left-alone.ts'
import type { WovenLink } from '../../src/engine/witness/woven-link.ts'
import { directoryMode, LEFT_OUT_WORDS } from '../../src/snapshots/entry-value.ts'
import { world } from '../crash/world.ts'

const absent: Value = { kind: 'absent' }
const ignored: Value = { kind: 'unknown', why: LEFT_OUT_WORDS.ignored }
const repository: Value = { kind: 'unknown', why: LEFT_OUT_WORDS.repository }
const [first, second] = ['t1', 't2'] as TurnId[] as [TurnId, TurnId]

test('[sem.A5] what a turn did to ignored directories, repositories and modes is one line each', () => {
  using w = world()
  const store = w.open()
  const project = { store, path: w.project }
  const note = (
    turn: TurnId,
    path: string,
    before: Value,
    after: Value,
    kind: WovenLink['author']['kind'] = 'turn',
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
    'nested-repository app/.git: a git worktree that was made here stays; `git worktree remove --force app` removes it',
    'ignored dist/: an ignored directory that was made stays',
    'directory-mode sub/: its mode changed from 755 to 711 and stays so',
  ])
  note(second, 'dist', ignored, absent)
  expect(named(second)[0]).toMatch(/^ignored dist\/: an ignored directory was deleted/u)
})
