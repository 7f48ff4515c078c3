/**
 * For one kind of operation, a process dies at each mutating call and transaction, or the call
 * fails, or all calls fail from there on. The recovery that follows gets the same treatment.
 */
import { deepEqual, equal } from 'node:assert/strict'
import type { Point } from '../faults/point.ts'
import { cases, type Case } from './cases.ts'
import { judge, judgeFiles } from './judge.ts'
import { applyCase, recoverStage, setUp, stage, type Life, type Stage } from './stage.ts'

/** The operations to try, and the disk to try them on. */
export interface Trial {
  readonly cases: (run: number) => Case[]
  readonly stage: () => Stage
}

const PLAIN: Trial = { cases, stage }

let run = 0
function nextCase(index: number, { cases }: Trial = PLAIN): Case {
  return cases((run += 1))[index]!
}

export async function dieAtEachCall(index: number, point: Point, trial = PLAIN): Promise<void> {
  using on = trial.stage()
  const sides = new Set<string>()
  for (let at = 1, isWhole = false; !isWhole; at += 1) {
    const scenery = setUp(on, nextCase(index, trial))
    const life = await applyCase(scenery, { kind: 'die', at })
    isWhole = life.calls.length < at
    const where = `${scenery.case.name}: died at ${at} (${life.calls.at(-1)})`
    await point(
      () => where,
      async () => {
        if (isWhole) equal(life.result?.kind, 'done', where)
        await recoverWell(on, where)
        sides.add(judge(scenery, isWhole ? 'new' : 'either', where))
        deepEqual((await recoverStage(on)).result, [], where)
      },
    )
  }
  await point(
    () => 'both sides were seen',
    () => deepEqual([...sides].sort(), ['new', 'old']),
  )
}

export async function tearEachWrite(index: number, point: Point): Promise<void> {
  using on = stage()
  // The first operation in a project makes the quarantine, which the later ones do not.
  await applyCase(setUp(on, nextCase(index)))
  const { calls } = await applyCase(setUp(on, nextCase(index)))
  for (const [before, call] of calls.entries()) {
    if (call !== 'write') continue
    const scenery = setUp(on, nextCase(index))
    const life = await applyCase(scenery, { kind: 'tear', at: before + 1 })
    const where = `${scenery.case.name}: torn at ${before + 1} (${life.calls.at(-1)})`
    await point(
      () => where,
      async () => {
        equal(life.calls.at(-1), 'write', where)
        await recoverWell(on, where)
        judge(scenery, 'either', where)
      },
    )
  }
}

/**
 * Dies at each call, then at each call of the recovery. With a stride, the second death skips
 * calls; the next first death covers the ones beside them.
 */
export async function dieTwice(
  index: number,
  point: Point,
  stride = 1,
  trial = PLAIN,
): Promise<void> {
  using on = trial.stage()
  for (let at = 1, isWhole = false; !isWhole; at += 1) {
    for (let again = 1 + (at % stride); ; again += stride) {
      const scenery = setUp(on, nextCase(index, trial))
      const life = await applyCase(scenery, { kind: 'die', at })
      isWhole = life.calls.length < at
      const recovery = await recoverStage(on, { kind: 'die', at: again })
      if (recovery.calls.length < again) break
      const where = `${scenery.case.name}: died at ${at} (${life.calls.at(-1)}), then at ${again} (${recovery.calls.at(-1)})`
      await point(
        () => where,
        async () => {
          await recoverWell(on, where)
          judge(scenery, 'either', where)
        },
      )
    }
  }
}

export async function failAtEachCall(
  index: number,
  errnos: readonly string[],
  point: Point,
  trial = PLAIN,
): Promise<void> {
  using on = trial.stage()
  for (const errno of errnos)
    for (let at = 1, isWhole = false; !isWhole; at += 1) {
      const scenery = setUp(on, nextCase(index, trial))
      const life = await applyCase(scenery, { kind: 'fail', at, errno })
      isWhole = life.calls.length < at
      const where = `${scenery.case.name}: ${errno} at ${at} (${life.calls[at - 1]})`
      await point(
        () => where,
        async () => {
          // The reported result must hold at once and stay.
          const said = life.result?.kind
          if (said === 'rolled-back') judgeFiles(scenery, 'old', where)
          if (said === 'done') judgeFiles(scenery, 'new', where)
          await recoverWell(on, where)
          judge(scenery, sideSaid(life), where)
        },
      )
    }
}

/** Calls that fail on a full disk; removing and renaming still work. */
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

export async function failFromEachCallOn(index: number, point: Point): Promise<void> {
  using on = stage()
  for (const { errno, calls } of [
    { errno: 'ENOSPC', calls: NEEDS_SPACE },
    { errno: 'EROFS', calls: EVERYTHING },
    { errno: 'EIO', calls: ['sync', 'truncate'] },
  ])
    for (let at = 1, isWhole = false; !isWhole; at += 1) {
      const scenery = setUp(on, nextCase(index))
      const fault = { kind: 'fail-on', at, errno, calls } as const
      const life = await applyCase(scenery, fault)
      isWhole = life.calls.length < at
      const where = `${scenery.case.name}: ${errno} from ${at} (${life.calls[at - 1]}) on`
      await point(
        () => where,
        async () => {
          const said = life.result?.kind
          if (said === 'rolled-back' && errno === 'ENOSPC') judgeFiles(scenery, 'old', where)
          // While the fault lasts nothing can finish, but nothing may get worse.
          await recoverStage(on, { ...fault, at: 1 })
          await recoverWell(on, where)
          judge(scenery, sideSaid(life), where)
        },
      )
    }
}

export async function failThenDie(index: number, point: Point, trial = PLAIN): Promise<void> {
  using on = trial.stage()
  for (let at = 1, isWhole = false; !isWhole; at += 1)
    for (let then = at + 1, isOver = false; !isOver; then += 1) {
      const scenery = setUp(on, nextCase(index, trial))
      const life = await applyCase(
        scenery,
        { kind: 'fail', at, errno: 'EIO' },
        { kind: 'die', at: then },
      )
      isWhole = life.calls.length < at
      isOver = life.calls.length < then
      const where = `${scenery.case.name}: failed at ${at} (${life.calls[at - 1]}), died at ${then} (${life.calls[then - 1]})`
      await point(
        () => where,
        async () => {
          await recoverWell(on, where)
          judge(scenery, 'either', where)
        },
      )
    }
}

async function recoverWell(on: Stage, where: string): Promise<void> {
  equal((await recoverStage(on)).error, undefined, where)
}

function sideSaid({ result }: Life<{ kind: string }>): 'old' | 'new' | 'either' {
  return result?.kind === 'done' ? 'new' : result?.kind === 'rolled-back' ? 'old' : 'either'
}
