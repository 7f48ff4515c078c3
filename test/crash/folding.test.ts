import { describe, test } from 'vitest'
import { failAtOnce } from '../faults/point.ts'
import { volume } from '../folding/volume.ts'
import { dieAtEachCall, dieTwice, failAtEachCall, failThenDie, type Trial } from './every-call.ts'
import { foldingCases } from './folding-cases.ts'
import type { FoldingOptions } from './folding-disk.ts'

const kinds = foldingCases(0).map(({ name }, index) => [name, index] as const)

const trial = (options: FoldingOptions): Trial => ({
  cases: foldingCases,
  stage: () => volume().stage(options),
})

describe('[FT18] [B11] on a volume that folds names', { timeout: 300_000 }, () => {
  const [mac, linux] = [trial({ hasProc: false }), trial({ ignoresRespelling: true })]

  test.each(kinds)('[FT1] a process dies at each call of: %s', (_, index) =>
    dieAtEachCall(index, failAtOnce, mac),
  )

  test.each(kinds)('[FT1] so where a rename cannot change only the spelling: %s', (_, index) =>
    dieAtEachCall(index, failAtOnce, linux),
  )

  test.each(kinds)('[FT3] each call fails: %s', (_, index) =>
    failAtEachCall(index, ['EIO'], failAtOnce, linux),
  )

  // These two take the square of the calls.
  test.each(kinds.slice(5, 6))('[FT1] a process dies again while it recovers: %s', (_, index) =>
    dieTwice(index, failAtOnce, 8, linux),
  )

  test.each(kinds.slice(0, 1))('[FT1] a process dies while it rolls back: %s', (_, index) =>
    failThenDie(index, failAtOnce, mac),
  )
})
