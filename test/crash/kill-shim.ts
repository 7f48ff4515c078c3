/**
 * The long run of R1: kills a real process right before a call of libc, SQLite's included, recovers
 * and judges, again and again. Linux with a C compiler.
 *
 *   node test/crash/kill-shim.ts [POINTS] [SEED]
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cases } from './cases.ts'
import { judge } from './judge.ts'
import { recoverStage, setUp, stage } from './stage.ts'

const points = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const here = fileURLToPath(new URL('.', import.meta.url))
const random = generator(seed)
const kinds = cases(0).length

using on = stage()
const shim = join(on.world.path, 'kill-shim.so')
const compiler = 'cc'
execFileSync(compiler, ['-O1', '-shared', '-fPIC', '-o', shim, join(here, 'kill-shim.c'), '-ldl'])
process.stdout.write(`seed ${seed}\n`)

const sides = { old: 0, new: 0 }
for (let point = 0; point < points; point += 1) {
  const kind = point % kinds
  const total = countCalls(kind, point * 2)
  const at = 1 + Math.floor(random() * total)
  const which = cases(point * 2 + 1)[kind]!
  const scenery = setUp(on, which)
  const { signal } = run(kind, point * 2 + 1, { KILL_AT: String(at) })
  const where = `point ${point}, ${which.name}, call ${at} of ${total}, ${signal ?? 'not killed'}`
  const recovery = await recoverStage(on)
  equal(recovery.error, undefined, where)
  sides[judge(scenery, 'either', where)] += 1
  if (point % 50 === 49) process.stdout.write(`${point + 1} points, ${JSON.stringify(sides)}\n`)
}
process.stdout.write(`${points} points, none bad, ${JSON.stringify(sides)}\n`)

function countCalls(kind: number, number: number): number {
  setUp(on, cases(number)[kind]!)
  const file = join(on.world.path, 'calls')
  const { status, stderr } = run(kind, number, { KILL_COUNT: file })
  equal(status, 0, stderr)
  return Number(readFileSync(file, 'utf8'))
}

function run(kind: number, number: number, env: Record<string, string>) {
  const program = join(here, 'die-for-real.ts')
  return spawnSync(process.execPath, [program, on.world.path, String(kind), String(number), '0'], {
    env: { ...env, LD_PRELOAD: shim, KILL_BELOW: on.world.path, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  })
}

/** Mulberry32: small, and the same everywhere for one seed. */
function generator(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
