import { afterEach, expect, test } from 'vitest'
import { connectWith } from '../connection/connection.ts'
import { keys, queries, type Log } from '../connection/queries.ts'
import { changeDraft, clearDraft, draftOf, offerPrompt } from './draft.ts'
import { withdrawIfActive } from './withdraw-if-active.ts'

const original = globalThis.fetch
afterEach(() => {
  globalThis.fetch = original
  queries.clear()
  clearDraft('s')
})

type State = 'active' | 'undone' | 'other'

function log(...states: State[]): Log {
  const turns = states.map((state, at) => ({
    id: `t${at}`,
    number: at + 1,
    prompt: `prompt ${at + 1}`,
    state,
    parent: at === 0 ? null : `t${at - 1}`,
  }))
  return { turns, more: false } as unknown as Log
}

/** The page shows turns from before the undo; the server has these by now. */
async function afterLoading(now: Log): Promise<string> {
  queries.setQueryData(keys.tail('s'), log('active', 'active'))
  globalThis.fetch = () => Promise.resolve(Response.json(now))
  connectWith('token', () => Promise.resolve(null))
  offerPrompt('s', 'prompt 2')
  await withdrawIfActive('s', 'prompt 2')
  return draftOf('s').text
}

test('[B7] an offered prompt whose turn is active again is withdrawn, also if the page never saw it undone', async () => {
  expect(await afterLoading(log('active', 'active'))).toBe('')
})

test.each([
  ['its turn is undone', log('active', 'undone')],
  [
    'its turn is undone and an earlier one reads the same',
    {
      ...log('active', 'undone'),
      turns: log('active', 'undone').turns.map((turn) => ({ ...turn, prompt: 'prompt 2' })),
    },
  ],
  ['its turn is not among those loaded', log('undone')],
])('[B7] an offered prompt stays while %s', async (_, now) => {
  expect(await afterLoading(now)).toBe('prompt 2')
})

test('[G8] text that the user typed meanwhile stays', async () => {
  queries.setQueryData(keys.tail('s'), log('active', 'active'))
  globalThis.fetch = () => Promise.resolve(Response.json(log('active', 'active')))
  connectWith('token', () => Promise.resolve(null))
  offerPrompt('s', 'prompt 2')
  const checked = withdrawIfActive('s', 'prompt 2')
  changeDraft('s', { text: 'prompt 2, better' })
  await checked
  expect(draftOf('s').text).toBe('prompt 2, better')
})
