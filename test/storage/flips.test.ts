import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { CheckView } from '#protocol'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { failAtOnce } from '../faults/point.ts'
import { seededRandom } from '../reader/random.ts'
import { flipBits } from './flip-bits.ts'
import { machineOf } from './in-process.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\n', 'big.txt': 'line\n'.repeat(20_000), 'dir/x.txt': 'x\n' },
  turns: {
    T1: [write('n.txt', 'new\n'.repeat(300)), 'done'],
    T2: [edit('a.txt', 'b', 'B'), bash('echo more >> big.txt'), 'done'],
  },
})

test('[R13][FT4] every flipped bit that has an effect is found, anywhere in the file', async () => {
  const p = await base()
  using machine = machineOf(p.s)
  await p.s.retake('observe')
  await p.run('undo')
  await p.s.write('dir/x.txt', 'mine\n')
  await p.run('redo')
  const tried = await flipBits(machine, p.s.project, {
    count: numRuns(30),
    random: seededRandom(Number(process.env['SEED'] ?? 1)),
    point: failAtOnce,
  })
  for (const { found, flips } of tried) expect(found).toBeGreaterThan(flips / 4)
})

test('[R13] damage is reported with the content, its path, and what needs it', async () => {
  const p = await base()
  await p.run('undo')
  const contents = await p.read<{ contents: { id: string; isNow: boolean }[] }>('where', 'a.txt')
  const { id } = contents.contents.find(({ isNow }) => !isNow)!
  const store = join(p.s.env['XDG_DATA_HOME']!, 'retake')
  const [path] = (await p.s.run('sh', ['-c', `ls ${store}/projects/*/store.db`])).stdout.split('\n')
  {
    using database = new DatabaseSync(path!)
    const row = database.prepare('select bytes from content where id = ?').get(id)!
    const bytes = Buffer.from(row['bytes'] as Uint8Array)
    bytes[bytes.length - 1]! ^= 4
    database.prepare('update content set bytes = ? where id = ?').run(bytes, id)
    database.exec("update operation set verb = 'redo' where id = 1")
  }
  const { code, stdout } = await p.s.retake('check', '--read-data', '--json')
  expect(code).toBe(1)
  const [, turn] = await p.log()
  const view = parseView<CheckView>(stdout)
  expect(view).toMatchObject({
    contents: [{ id, problem: 'damaged', paths: ['a.txt'], turns: [turn!.id], operations: [1] }],
  })
  const text = await p.s.retake('check', '--read-data')
  expect(text.stdout).toContain(`content ${id.slice(0, 8)} of a.txt is damaged`)
  expect(text.stdout).toContain(`undo and redo of turn ${turn!.id.slice(0, 8)}`)
})
