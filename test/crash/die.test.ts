import { describe, expect, test } from 'vitest'
import { cases, type Case } from './cases.ts'
import { judge } from './judge.ts'
import { applyCase, recoverStage, setUp, stage } from './stage.ts'

// Exhaustive: every mutating call and every transaction of every kind of operation is once the
// last thing a process does, and so is every one of the recovery that follows.

const kinds = cases(0).map(({ name }, index) => [name, index] as const)
let run = 0
function nextCase(index: number): Case {
  return cases((run += 1))[index]!
}

describe('[R1] a process that dies', { timeout: 300_000 }, () => {
  test.each(kinds)('[FT1] at each call of: %s', async (_, index) => {
    using on = stage()
    const sides = new Set<string>()
    for (let at = 1; ; at += 1) {
      const scenery = setUp(on, nextCase(index))
      const life = await applyCase(scenery, { kind: 'die', at })
      const isWhole = life.calls.length < at
      if (isWhole) expect(life.result).toMatchObject({ kind: 'done', kept: [] })
      const where = `died at ${at} (${life.calls.at(-1)})`
      expect((await recoverStage(on)).error, where).toBeUndefined()
      sides.add(judge(scenery, isWhole ? 'new' : 'either', where))
      expect((await recoverStage(on)).result, where).toEqual([])
      if (isWhole) break
    }
    expect(sides).toEqual(new Set(['old', 'new']))
  })

  test.each(kinds)('[FT1] in the middle of each write of: %s', async (_, index) => {
    using on = stage()
    for (let at = 1; ; at += 1) {
      const scenery = setUp(on, nextCase(index))
      const life = await applyCase(scenery, { kind: 'tear', at })
      const where = `torn at ${at} (${life.calls.at(-1)})`
      expect((await recoverStage(on)).error, where).toBeUndefined()
      if (life.calls.length < at) break
      if (life.calls.at(-1) !== 'write') continue
      judge(scenery, 'either', where)
    }
  })
})

describe('[R1] a process that dies while it recovers', { timeout: 300_000 }, () => {
  // The square of the calls: the other kinds with two paths stand for the one with the most.
  const fewer = kinds.filter(([name]) => !name.startsWith('replace two'))
  test.each(fewer)('[FT1] at each call, after a death at each call of: %s', async (_, index) => {
    using on = stage()
    for (let at = 1, isWhole = false; !isWhole; at += 1) {
      for (let again = 1; ; again += 1) {
        const scenery = setUp(on, nextCase(index))
        const life = await applyCase(scenery, { kind: 'die', at })
        isWhole = life.calls.length < at
        const recovery = await recoverStage(on, { kind: 'die', at: again })
        if (recovery.calls.length < again) break
        const where = `died at ${at} (${life.calls.at(-1)}), then at ${again} (${recovery.calls.at(-1)})`
        expect((await recoverStage(on)).error, where).toBeUndefined()
        judge(scenery, 'either', where)
      }
    }
  })
})
