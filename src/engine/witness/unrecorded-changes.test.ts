import { expect, test } from 'vitest'
import { appendLinks } from '#store'
import { absent, type ContentId, type ProjectPath, type TurnId, type Value } from '#timeline'
import { world } from '../../../test/crash/world.ts'
import type { Project } from '../project/index.ts'
import { unrecordedChanges } from './unrecorded-changes.ts'

test('[sem.A5] the log folds a path’s doubtful and certain changes in order', () => {
  using w = world()
  const store = w.open()
  const id = 't1' as TurnId
  const value = (digit: string): Value => ({ kind: 'file', content: digit.repeat(40) as ContentId, mode: 0o644 }) // prettier-ignore
  const link = (kind: 'unsure' | 'turn', before: Value, after: Value) => ({
    path: 'a' as ProjectPath,
    from: null,
    before,
    after,
    author: { kind, id },
    evidence: 'shell Bash',
    gitHead: null,
    at: 1,
    madeDirectories: [],
  })
  appendLinks(store, [link('unsure', absent, value('1')), link('turn', value('1'), value('2'))])
  expect(unrecordedChanges({ store } as Project, id)).toMatchObject([
    { path: 'a', change: 'created', by: 'unsure', before: absent, after: value('2') },
  ])
})
