import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { playCompany } from './company.ts'
import { companyWorld, makeCompany } from './company-world.ts'
import type { Step } from './history.ts'
import { seedsOf } from './try-histories.ts'

test('[sem.V5] [sem.X1] two sessions and a user in the same files: an operation of one session changes nothing of the others', async () => {
  const seeds = seedsOf(Number(process.env['SEED'] ?? 1), Number(process.env['RUNS'] ?? 12))
  const results = await Promise.allSettled(seeds.map((seed) => playCompany(seed, makeCompany)))
  expect(results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([])
})

const text = (...lines: string[]): string => ['top', ...lines, 'end', ''].join('\n')
const add = (after: string, line: string): Step => ({
  edit: 'f',
  old: `${after}\n`,
  new: `${after}\n${line}\n`,
})
const remove = (line: string): Step => ({ bash: [`sed -i '/^${line}$/d' f`] })

/** Two sessions on the file `f`. */
function twoOn(start: string) {
  const world = companyWorld({ uuid: randomUUID, count: 2, watched: false })
  const file = join(world.project, 'f')
  writeFileSync(file, start)
  const [a, b] = world.members as [(typeof world.members)[0], (typeof world.members)[0]]
  return { world, a, b, read: () => readFileSync(file, 'utf8') }
}

test('[cell.3] undo of a line and of its deletion leaves no line, though another session changed the file since', async () => {
  const { world, a, b, read } = twoOn(text('a', '1', '2', 'b'))
  using _ = world
  await b.turn('B1', [add('b', 'more')])
  await b.turn('B2', [remove('more')])
  await a.turn('A1', [add('a', 'other')])
  expect(await b.operate({ do: 'undo', count: 2 })).toMatchObject({ kind: 'done' })
  expect(read()).toBe(text('a', 'other', '1', '2', 'b'))
})

test('[cell.3] a session that took its own line back does not keep a line of another session in the file', async () => {
  const { world, a, b, read } = twoOn(text('a', '1', '2', 'b'))
  using _ = world
  await a.turn('A1', [add('a', 'more')])
  await a.turn('A2', [remove('more')])
  await a.operate({ do: 'undo', count: 1 })
  await b.turn('B1', [add('b', 'other')])
  await a.operate({ do: 'redo', count: 1 })
  await b.turn('B2', [remove('other')])
  expect(await a.operate({ do: 'rewind', to: null })).toMatchObject({ kind: 'done' })
  expect(read()).toBe(text('a', '1', '2', 'b'))
})

test('[sem.C3] a prompt below an undone turn keeps its changes out, though another session undid a turn in the same file since', async () => {
  const { world, a, b, read } = twoOn(text('a', '1', '2', 'b'))
  using _ = world
  await a.turn('A1', [{ write: 'other', text: 'other\n' }])
  await b.turn('B1', [add('b', 'more')])
  await a.turn('A2', [add('a', 'other')])
  await b.operate({ do: 'rewind', to: null })
  await a.operate({ do: 'undo', count: 1 })
  await b.turn('B2', [{ write: 'later', text: 'later\n' }])
  await b.operate({ do: 'rewind', to: null })
  await b.operate({ do: 'redo', count: 2 })
  expect(read()).toBe(text('a', '1', '2', 'b'))
})
