import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { insertOperation, listOperations, setOperationState } from '#store'
import type { TurnId } from '#timeline'
import { world } from '../crash/world.ts'
import {
  DETAILS_VERSION,
  detailsOf,
  followedBy,
  isAsked,
  operationsOf,
  withoutPrompt,
  type PendingMove,
} from '../../src/engine/project/index.ts'

/** The operations of a store that an earlier build wrote. */
function recordedEarlier() {
  using w = world()
  w.open().close()
  const fixture = new URL('../fixtures/store/format-1.db.gz', import.meta.url)
  writeFileSync(`${w.directory}/store.db`, gunzipSync(readFileSync(fixture)))
  return listOperations(w.open())
}

const damaged = expect.objectContaining({
  code: 'store-damaged',
  message: 'The record of operation 6 cannot be read.',
})

test('[FT24] the record of an operation by an earlier build can be read', () => {
  const [undo, ...others] = recordedEarlier()
  expect(detailsOf(undo!)).toMatchObject({
    version: DETAILS_VERSION,
    operation: { verb: 'undo', facts: [] },
    back: true,
    conversation: 'moved',
    turns: [expect.any(String)],
  })
  for (const each of others) expect(detailsOf(each).operation.verb).toBe(each.verb)
})

test('[R13] a record with a missing field or an unknown version is refused by name', () => {
  const [undo] = recordedEarlier()
  const details = detailsOf(undo!)
  for (const field of Object.keys(details).filter((name) => name !== 'passed')) {
    const { [field as 'turns']: _gone, ...rest } = details
    expect(() => detailsOf({ ...undo!, details: rest }), field).toThrow(damaged)
  }
  const { cells: _cells, ...operation } = details.operation
  for (const wrong of [
    null,
    [],
    'undo',
    { ...details, version: 0 },
    { ...details, turns: 'all' },
    { ...details, operation },
  ])
    expect(() => detailsOf({ ...undo!, details: wrong })).toThrow(damaged)
  expect(() => detailsOf({ ...undo!, details: { ...details, version: 2 } })).toThrow(
    expect.objectContaining({ code: 'store-newer' }),
  )
})

test('[sem.C3] a settled pending move is not an operation of the user', () => {
  using w = world()
  const store = w.open()
  const follows = {
    target: null,
    tip: null,
    from: null,
    size: 7,
    operation: 6,
    byShell: false,
  } satisfies PendingMove
  const id = insertOperation(store, {
    tag: 'follow',
    verb: 'follow',
    session: 's',
    inverts: null,
    details: { version: DETAILS_VERSION, follows },
    at: 0,
    steps: [],
    conversation: null,
    paths: [],
  })
  setOperationState(store, id, { state: 'committed', tidy: true })
  const [follow] = listOperations(store)
  expect(isAsked(follow!)).toBe(false)
  expect(operationsOf(store)).toEqual([])
  expect(followedBy(follow!)).toEqual(follows)
  expect(() => detailsOf(follow!)).toThrow(expect.objectContaining({ code: 'store-damaged' }))
  expect(withoutPrompt(follow!, new Set())).toBeNull()
})

test('[S14] the words of a forgotten turn are erased from the operations that name it, and no others', () => {
  const [undo] = recordedEarlier()
  const { turns, prompt } = detailsOf(undo!)
  expect(prompt).not.toBeNull()
  expect(withoutPrompt(undo!, new Set(['other' as TurnId]))).toBeNull()
  expect(withoutPrompt(undo!, new Set(turns))).toMatchObject({ turns, prompt: null })
})
