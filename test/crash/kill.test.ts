import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { bundled } from '../faults/bundled.ts'
import { cases } from './cases.ts'
import { judge } from './judge.ts'
import { applyCase, recoverStage, setUp, stage } from './stage.ts'

const program = await bundled(new URL('die-for-real.ts', import.meta.url))
const kinds = cases(0).map(({ name }, index) => [name, index] as const)

describe('[R1] [FT1] a process that is killed', () => {
  // Alternately early, midway and late: each process start costs as much as a whole case.
  const killed = kinds.filter((_, index) => index % 2 === 1)
  test.each(killed)('while it does: %s', async (_, index) => {
    using on = stage()
    const run = 5000 + index * 100
    const { calls } = await applyCase(setUp(on, cases(run)[index]!))
    const at = Math.ceil(calls.length * [0.3, 0.6, 0.9][index % 3]!)
    const scenery = setUp(on, cases(run + at)[index]!)
    const args = [program, on.world.path, String(index), String(run + at), String(at)]
    const { signal, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(signal, stderr).toBe('SIGKILL')
    const where = `killed at ${at} (${calls[at - 1]})`
    expect((await recoverStage(on)).error, where).toBeUndefined()
    judge(scenery, 'either', where)
  })
})
