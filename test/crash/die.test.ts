import { describe, test } from 'vitest'
import { failAtOnce } from '../faults/point.ts'
import { cases } from './cases.ts'
import { dieAtEachCall, dieTwice, tearEachWrite } from './every-call.ts'

const kinds = cases(0).map(({ name }, index) => [name, index] as const)

describe('[R1] a process that dies', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT1] at each call of: %s', (_, index) => dieAtEachCall(index, failAtOnce))

  test.each(kinds)('[FT1] in the middle of each write of: %s', (_, index) =>
    tearEachWrite(index, failAtOnce),
  )
})

describe('[R1] a process that dies while it recovers', { timeout: 300_000 }, () => {
  // All pairs would be the square of the calls; `npm run test:faults` tries them.
  test.each(kinds)('[FT1] after a death at each call of: %s', (_, index) =>
    dieTwice(index, failAtOnce, 8),
  )
})
