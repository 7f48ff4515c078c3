import { expect, test } from 'vitest'
import { command } from '#failure'
import { world } from '../../test/crash/world.ts'
import { run } from './database.ts'
import { doneOperations, findDone, newestDone } from './done-operations.ts'
import {
  insertOperation,
  listOperations,
  setOperationState,
  type OperationState,
} from './operations.ts'
import type { Store } from './store.ts'

function record(store: Store, verb: string, session: string, state: OperationState): number {
  const id = insertOperation(store, {
    tag: crypto.randomUUID(),
    verb,
    session,
    inverts: null,
    details: { request: `${verb} ${session}` },
    at: 0,
    steps: [],
    conversation: null,
    paths: [],
  })
  setOperationState(store, id, { state, tidy: true })
  return id
}

test('the search finds the newest match behind many others, and skips failed operations', () => {
  using w = world()
  const store = w.open()
  const first = record(store, 'undo', 'mine', 'committed')
  for (let n = 0; n < 30; n += 1) record(store, 'redo', 'other', 'committed')
  const failed = record(store, 'undo', 'mine', 'rolled-back')
  const last = record(store, 'follow', 'mine', 'committed')

  const isUndo = ({ verb }: { verb: string }): boolean => verb === 'undo'
  expect(findDone(store, { session: 'mine' }, isUndo)?.id).toBe(first)
  expect(findDone(store, {}, isUndo)).toMatchObject({
    id: first,
    details: { request: 'undo mine' },
  })
  expect(findDone(store, { after: first }, isUndo)).toBeNull()
  expect(newestDone(store, 'follow')).toBe(failed - 1)
  expect(doneOperations(store, { session: 'mine' }).map(({ id }) => id)).toEqual([last, first])
})

test('[R13] an unreadable operation record fails as a damaged store, with a hint', () => {
  using w = world()
  const store = w.open()
  record(store, 'undo', 'mine', 'committed')
  run(store.database, `update operation set details = '{"request":'`)
  const damaged = expect.objectContaining({
    code: 'store-damaged',
    hint: expect.arrayContaining([command('check')]),
  })
  expect(() => doneOperations(store)).toThrow(damaged)
  expect(() => listOperations(store)).toThrow(damaged)
})
