import { describe, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { applyCase, judge, recoverStage, setUp, stage } from './stage.ts'

let run = 0
function nextCase(index: number) {
  return cases((run += 1))[index]!
}

describe('[R1] a process that dies', () => {
  test.each(cases(0).map(({ name }, index) => [name, index] as const))(
    '[FT1] at every call of: %s',
    async (_, index) => {
      using on = stage()
      const sides = new Set<string>()
      for (let at = 1; ; at += 1) {
        const scenery = setUp(on, nextCase(index))
        const life = await applyCase(scenery, { kind: 'die', at })
        const isWhole = life.calls.length < at
        if (isWhole) expect(life.result).toMatchObject({ kind: 'done', kept: [] })
        const recovery = await recoverStage(on)
        expect(recovery.error, `recovery after ${at}`).toBeUndefined()
        const where = `died at ${at} (${life.calls.at(-1)})`
        sides.add(judge(scenery, isWhole ? 'new' : 'either', where))
        expect((await recoverStage(on)).result, where).toEqual([])
        if (isWhole) break
      }
      expect(sides).toEqual(new Set(['old', 'new']))
    },
  )
})
