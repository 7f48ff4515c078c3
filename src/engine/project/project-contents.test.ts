import { expect, test, vi } from 'vitest'
import { getContent } from '#store'
import { world } from '../../../test/crash/world.ts'
import { projectContents } from './project-contents.ts'

test('contents are kept in one transaction, so the disk is waited for once', () => {
  using w = world()
  const store = w.open()
  const contents = projectContents(store)
  const texts = ['a', 'b', 'c'].map((text) => Buffer.from(text))
  const ids = texts.map((text) => contents.add(text))
  const exec = vi.spyOn(store.database.connection, 'exec')
  contents.keep(store, ids)
  expect(exec.mock.calls.filter(([sql]) => sql === 'commit')).toHaveLength(1)
  expect(ids.map((id) => getContent(store, id))).toEqual(texts)
})
