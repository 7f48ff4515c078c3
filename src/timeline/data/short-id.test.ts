import { expect, test } from 'vitest'
import { shortId } from './short-id.ts'

test('short ids of two sessions of one minute differ', () => {
  const [one, other] = [
    '01a1dd0d-3920-7dc3-a8ab-74fbfb32a893',
    '01a1dd0d-7f11-7dc3-a8ab-74fbfb32a893',
  ]
  expect(shortId(one)).toBe('01a1dd0d-3920')
  expect(shortId(one)).not.toBe(shortId(other))
  expect(shortId('5fbd6c2a-1111-4222-8333-444455556666')).toBe('5fbd6c2a')
})
