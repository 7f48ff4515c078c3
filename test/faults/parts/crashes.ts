/** Deaths and errors at every call of the journal, simulated in this process and real. */
import { constants } from 'node:os'
import { spawnSync } from 'node:child_process'
import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cases } from '../../crash/cases.ts'
import {
  dieAtEachCall,
  dieTwice,
  failAtEachCall,
  failFromEachCallOn,
  failThenDie,
  tearEachWrite,
} from '../../crash/every-call.ts'
import { judge } from '../../crash/judge.ts'
import { recoverStage, setUp, stage } from '../../crash/stage.ts'
import { bundled } from '../bundled.ts'
import type { Part, Task } from '../part.ts'
import type { Point } from '../point.ts'
import { noCompiler, shim } from '../shim.ts'

const kinds = cases(0).length
export const ERRNOS = [
  'ENOSPC',
  'EIO',
  'EACCES',
  'EROFS',
  'EPERM',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'ENAMETOOLONG',
  'ELOOP',
  'EXDEV',
  'EFBIG',
].filter((errno) => errno in constants.errno)

/** One piece per kind of operation; a trial (`--runs`) takes that many points of each. */
function everyKind(act: (index: number, point: Point) => Promise<void>) {
  return {
    usual: null,
    pieces: kinds,
    try: async ({ piece, point }: Task) => act(piece, point),
  }
}

const killed: Part = {
  name: 'kill-journal',
  goal: 'R1',
  fault:
    'SIGKILL right before a call of libc, SQLite’s included; 13 kinds of change in the journal',
  usual: 500,
  more: 5000,
  pieces: 10,
  unable: noCompiler,
  async try({ runs, random, point }) {
    using on = stage()
    const program = await bundled(new URL('../../crash/die-for-real.ts', import.meta.url))
    const run = (kind: number, number: number, env: Record<string, string>) =>
      spawnSync(process.execPath, [program, on.world.path, String(kind), String(number), '0'], {
        env: { ...env, LD_PRELOAD: shim(), FAULT_BELOW: on.world.path, PATH: '/usr/bin:/bin' },
        encoding: 'utf8',
      })
    const totals = new Map<number, number>()
    const countCalls = (kind: number): number => {
      setUp(on, cases(1_000_000 + kind)[kind]!)
      const file = join(on.world.path, 'calls')
      const { status, stderr } = run(kind, 1_000_000 + kind, { FAULT_COUNT: file })
      equal(status, 0, stderr)
      return Number(readFileSync(file, 'utf8'))
    }
    for (let number = 1; number <= runs; number += 1) {
      const kind = random.below(kinds)
      const total = totals.get(kind) ?? countCalls(kind)
      totals.set(kind, total)
      const at = 1 + random.below(total)
      const which = cases(number)[kind]!
      const scenery = setUp(on, which)
      const { signal } = run(kind, number, { FAULT: 'kill', FAULT_AT: String(at) })
      const where = `${which.name}, call ${at} of ${total}, ${signal ?? 'not killed'}`
      await point(
        () => where,
        async () => {
          equal((await recoverStage(on)).error, undefined, where)
          judge(scenery, 'either', where)
        },
      )
    }
  },
}

export const crashes: readonly Part[] = [
  {
    name: 'die',
    goal: 'R1',
    fault: 'death at every call and transaction of 13 kinds of change',
    ...everyKind(dieAtEachCall),
  },
  {
    name: 'tear',
    goal: 'R1',
    fault: 'death in the middle of every write',
    ...everyKind(tearEachWrite),
  },
  {
    name: 'die-twice',
    goal: 'R1',
    fault: 'death at every call, then at every call of the recovery',
    ...everyKind(dieTwice),
  },
  {
    name: 'fail-then-die',
    goal: 'R1',
    fault: 'an error at every call, then death at every call of the rollback',
    ...everyKind(failThenDie),
  },
  killed,
  {
    name: 'errnos',
    goal: 'R3',
    fault: `${ERRNOS.length} errors (${ERRNOS.join(', ')}) at every call of 13 kinds of change`,
    ...everyKind((index, point) => failAtEachCall(index, ERRNOS, point)),
  },
  {
    name: 'stays-full',
    goal: 'R4',
    fault: 'a disk that is full, read-only or failing from every call on',
    ...everyKind(failFromEachCallOn),
  },
]
