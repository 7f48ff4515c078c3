import { expect, test } from 'vitest'
import { findTurnAtWork } from './turn-at-work.ts'

const NOON = Date.parse('2026-01-01T12:00:00Z')
const turn = 'T' as Parameters<typeof findTurnAtWork>[0]['tree']['head']

/** The head's prompt was sent at noon; the agent is busy since some seconds after that. */
const atWork = (
  { busy, started = -60, answered }: { busy: number | null; started?: number; answered: boolean },
  head = turn,
) =>
  findTurnAtWork(
    {
      tree: { head, turns: new Map([[turn!, { at: new Date(NOON).toISOString() }]]) as never },
      open: { isAnswered: () => answered },
    },
    { startedAt: NOON + started * 1000, statusSince: busy === null ? null : NOON + busy * 1000 },
  )

test('[sem.C8] the running turn is the one sent since the agent is busy, or the one without an answer', () => {
  expect(atWork({ busy: 0.1, answered: true })).toBe(turn)
  expect(atWork({ busy: 0.1, answered: false })).toBe(turn)
  // It became busy again after an approval.
  expect(atWork({ busy: 20, answered: false })).toBe(turn)
  expect(atWork({ busy: null, answered: false })).toBe(turn)
})

test('[sem.C8] a finished turn is never taken for the running one', () => {
  // The hooks for the next prompt are running.
  expect(atWork({ busy: 20, answered: true })).toBe(null)
  expect(atWork({ busy: null, answered: true })).toBe(null)
  // A crashed process left it without an answer.
  expect(atWork({ busy: 20, started: 10, answered: false })).toBe(null)
  expect(atWork({ busy: 20, answered: true }, null)).toBe(null)
})
