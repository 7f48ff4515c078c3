import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { CheckView } from '#protocol'
import { checkProject, openProject } from '#engine'
import { Failure } from '#failure'
import { numRuns } from '../../src/timeline/runs.testing.ts'
import { parseView } from '../cli/schemas.ts'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { seededRandom } from '../reader/random.ts'
import { machineOf } from './in-process.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\n', 'big.txt': 'line\n'.repeat(20_000), 'dir/x.txt': 'x\n' },
  turns: {
    T1: [write('n.txt', 'new\n'.repeat(300)), 'done'],
    T2: [edit('a.txt', 'b', 'B'), bash('echo more >> big.txt'), 'done'],
  },
})

test('[R13][FT4] every flipped bit that changes anything is found, wherever in the file it is', async () => {
  const p = await base()
  using machine = machineOf(p.s)
  await p.s.retake('observe')
  await p.run('undo')
  await p.s.write('dir/x.txt', 'mine\n')
  await p.run('redo')
  const directory = (() => {
    using project = openProject(machine, p.s.project)
    expect(checkProject(machine, project, { readData: true })).toMatchObject({
      database: [],
      records: [],
      contents: [],
      transcripts: [],
      vault: [],
    })
    project.store.database.connection.exec('pragma wal_checkpoint(truncate)')
    return project.store.directory
  })()
  const vault = join(p.s.env['XDG_DATA_HOME']!, 'retake/vault/vault.db')
  const random = seededRandom(Number(process.env['SEED'] ?? 1))

  for (const path of [join(directory, 'store.db'), vault]) {
    const whole = readFileSync(path)
    const before = dump(path)
    let found = 0
    const places = [
      ...Array.from({ length: 100 }, (_, n) => n),
      ...kindsOfPlaces(whole),
      ...Array.from({ length: numRuns(120) }, () => random.below(whole.length)),
    ]
    for (const place of places) {
      const damaged = Buffer.from(whole)
      damaged[place]! ^= 1 << random.below(8)
      writeFileSync(path, damaged)
      const isFound = findsDamage()
      if (isFound) found += 1
      // What is not found must not have changed anything: free room, counters of the file.
      else expect(`${place} ${dump(path)}`).toBe(`${place} ${before}`)
      writeFileSync(path, whole)
    }
    expect(found).toBeGreaterThan(places.length / 4)
  }

  function findsDamage(): boolean {
    try {
      using project = openProject(machine, p.s.project)
      const {
        database,
        records,
        contents,
        transcripts,
        vault: wrong,
      } = checkProject(machine, project, { readData: true })
      return [database, records, contents, transcripts, wrong].some(({ length }) => length > 0)
    } catch (error) {
      if (error instanceof Failure) return true
      throw error
    }
  }
})

test('[R13] damage is named: the content, its path, and what needs it', async () => {
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

/** Every row of every table, read by nothing of ours; null when it cannot be read. */
function dump(path: string): string | null {
  const copy = `${path}.look`
  copyFileSync(path, copy)
  try {
    using database = new DatabaseSync(copy)
    const names = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .all()
    const rows = names.map(({ name }) => [
      name,
      database
        .prepare(`select * from ${String(name)}`)
        .all()
        .map((row) => JSON.stringify(Object.values(row), plain))
        .sort(),
    ])
    return JSON.stringify(rows)
  } catch (error) {
    return String(error)
  }
}

function plain(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** The header and the middle of a page of each kind that the file has. */
function kindsOfPlaces(file: Buffer): number[] {
  const size = file.readUInt16BE(16)
  const kinds = new Map<number, number>()
  for (let page = size; page < file.length; page += size)
    if (!kinds.has(file[page]!)) kinds.set(file[page]!, page)
  return [...kinds.values()].flatMap((page) => [
    ...Array.from({ length: 12 }, (_, n) => page + n),
    page + size / 2,
    page + size - 8,
    page + size - 40,
  ])
}
