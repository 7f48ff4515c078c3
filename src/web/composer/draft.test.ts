import { expect, test } from 'vitest'
import { splitReturned } from './draft.ts'

test('[G8] restored prompts are kept apart from text written below them, until they are edited', () => {
  const prompts = [
    { prompt: 'first', order: 1 },
    { prompt: 'second', order: 2 },
  ]
  expect(splitReturned('first\n\nsecond\n\nmine', prompts)).toEqual({
    before: prompts,
    written: 'mine',
  })
  expect(splitReturned('first\n\nsecond', prompts)).toEqual({ before: prompts, written: '' })
  for (const text of ['first\n\nsecond, better', 'mine', ''])
    expect(splitReturned(text, prompts)).toEqual({ before: [], written: text })
  expect(splitReturned('mine', [])).toEqual({ before: [], written: 'mine' })
})
