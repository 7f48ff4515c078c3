import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableDisk, pinRoot } from '#disk'
import { appendLinks, getContent, putContent } from '#store'
import type { ProjectPath, RecordedEdit, TurnId, Value } from '#timeline'
import { world } from '../crash/world.ts'
import type { Project } from '../../src/engine/project/index.ts'
import { recordedLinks } from '../../src/engine/witness/recorded-links.ts'

test('[sem.A10] an edit recorded in pieces begins with what a scan saw, even if that is in the ledger already', () => {
  using w = world()
  const store = w.open()
  const root = pinRoot(durableDisk, w.project)
  const [id, path] = ['t1' as TurnId, 'a' as ProjectPath]
  const value = (text: string): Value => ({ kind: 'file', content: putContent(store, Buffer.from(text)), mode: 0o644 }) // prettier-ignore
  // Someone made a plan after the scan and before the agent recorded its edit. Then a command wrote.
  const seen = { path, from: null, gitHead: null, evidence: 'no step was running' }
  appendLinks(store, [
    { ...seen, before: value('1\n2\n'), after: value('1\ntwo\n'), at: 1000, author: { kind: 'outside', id: null } }, // prettier-ignore
  ])
  writeFileSync(join(w.project, 'a'), '1\ntwo\nlate\n')
  const unknown = { kind: 'unknown', why: 'not recorded' } as const
  const edit = {
    step: 'E',
    path: join(w.project, 'a'),
    at: new Date(2000).toISOString(),
    by: 'subagent',
    before: unknown,
    after: unknown,
    pieces: [{ old: '2', new: 'two', all: false }],
  } as unknown as RecordedEdit
  const links = recordedLinks(
    { path: w.project, root, store } as unknown as Project,
    [{ turn: id, since: new Date(0).toISOString(), edit }],
    { linkThen: () => undefined, spellingThen: (path) => path, seenAt: () => [] },
  )
  root.close()
  const text = (side: Value): string =>
    side.kind === 'file' ? Buffer.from(getContent(store, side.content)).toString() : side.kind
  expect(links.map(({ before, after }) => [text(before), text(after)])).toEqual([
    ['1\n2\n', '1\ntwo\n'],
  ])
})
