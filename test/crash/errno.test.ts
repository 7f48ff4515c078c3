import { describe, expect, test } from 'vitest'
import { cases, type Case } from './cases.ts'
import { judge, judgeFiles } from './judge.ts'
import { applyCase, recoverStage, setUp, stage } from './stage.ts'

const kinds = cases(0).map(({ name }, index) => [name, index] as const)
let run = 0
function nextCase(index: number): Case {
  return cases((run += 1))[index]!
}

const ERRNOS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EPERM']
/** What a full disk refuses; removing and renaming still work. */
const NEEDS_SPACE = ['create', 'write', 'symlink', 'makeDirectory', 'transaction']
const EVERYTHING = [
  ...NEEDS_SPACE,
  'truncate',
  'changeMode',
  'sync',
  'rename',
  'link',
  'unlink',
  'removeDirectory',
]

describe('[R3] a call that fails', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT3] [FT4] [FT5] each call with each errno: %s', async (_, index) => {
    using on = stage()
    for (const errno of ERRNOS)
      for (let at = 1; ; at += 1) {
        const scenery = setUp(on, nextCase(index))
        const life = await applyCase(scenery, { kind: 'fail', at, errno })
        const where = `${errno} at ${at} (${life.calls[at - 1]})`
        // What was said must be so at once, and stay so.
        const said = life.result?.kind
        if (said === 'rolled-back') judgeFiles(scenery, 'old', where)
        if (said === 'done') judgeFiles(scenery, 'new', where)
        expect((await recoverStage(on)).error, where).toBeUndefined()
        judge(scenery, said === 'done' ? 'new' : said === 'rolled-back' ? 'old' : 'either', where)
        if (life.calls.length < at) break
      }
  })
})

describe('[R4] a disk that stays full or read-only', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT3] from each call on: %s', async (_, index) => {
    using on = stage()
    for (const { errno, calls } of [
      { errno: 'ENOSPC', calls: NEEDS_SPACE },
      { errno: 'EROFS', calls: EVERYTHING },
      { errno: 'EIO', calls: ['sync', 'truncate'] },
    ])
      for (let at = 1; ; at += 1) {
        const scenery = setUp(on, nextCase(index))
        const fault = { kind: 'fail-on', at, errno, calls } as const
        const life = await applyCase(scenery, fault)
        const where = `${errno} from ${at} (${life.calls[at - 1]})`
        const said = life.result?.kind
        if (said === 'rolled-back' && errno === 'ENOSPC') judgeFiles(scenery, 'old', where)
        // As long as it lasts nothing can be finished, and nothing may get worse.
        await recoverStage(on, { ...fault, at: 1 })
        expect((await recoverStage(on)).error, where).toBeUndefined()
        judge(scenery, said === 'done' ? 'new' : said === 'rolled-back' ? 'old' : 'either', where)
        if (life.calls.length < at) break
      }
  })
})

describe('[R1] a process that dies on the way back', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT1] at each call after a call that failed: %s', async (_, index) => {
    using on = stage()
    for (let at = 1, isWhole = false; !isWhole; at += 1)
      for (let then = at + 1; ; then += 1) {
        const scenery = setUp(on, nextCase(index))
        const life = await applyCase(
          scenery,
          { kind: 'fail', at, errno: 'EIO' },
          { kind: 'die', at: then },
        )
        isWhole = life.calls.length < at
        const where = `failed at ${at} (${life.calls[at - 1]}), died at ${then} (${life.calls[then - 1]})`
        expect((await recoverStage(on)).error, where).toBeUndefined()
        judge(scenery, 'either', where)
        if (life.calls.length < then) break
      }
  })
})
