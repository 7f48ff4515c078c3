import { expect, test } from 'vitest'
import { factsOf } from './turn-facts.ts'

test('[sem.A3] facts of a turn ignore a mark that a later move left on it', () => {
  const row = (type: string, subtype: string | null, at: string) => ({ type, subtype, at })
  const rows = [
    row('user', null, '2026-01-01T00:00:01Z'),
    row('assistant', null, '2026-01-01T00:00:02Z'),
    row('system', 'informational', '2026-01-01T01:00:00Z'),
    row('system', 'compact_boundary', '2026-01-01T02:00:00Z'),
  ]
  const facts = factsOf({ turn: { kind: 'prompt' }, rows } as never)
  expect(facts).toMatchObject({ ended: Date.parse('2026-01-01T00:00:02Z'), rows: 2 })
})
