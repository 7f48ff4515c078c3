import { describe, test } from 'vitest'
import { failAtOnce } from '../faults/point.ts'
import { cases } from './cases.ts'
import { failAtEachCall, failFromEachCallOn, failThenDie } from './every-call.ts'

const kinds = cases(0).map(({ name }, index) => [name, index] as const)
const ERRNOS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EPERM']

describe('[R3] a call that fails', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT3] [FT4] [FT5] each call with each errno: %s', (_, index) =>
    failAtEachCall(index, ERRNOS, failAtOnce),
  )
})

describe('[R4] a disk that stays full or read-only', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT3] from each call on: %s', (_, index) =>
    failFromEachCallOn(index, failAtOnce),
  )
})

describe('[R1] a process that dies while it rolls back', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT1] at each call after a call that failed: %s', (_, index) =>
    failThenDie(index, failAtOnce),
  )
})
