import { equal, ok } from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkProject, openProject, type Machine } from '#engine'
import { Failure } from '#failure'
import type { Point } from '../faults/point.ts'
import type { Random } from '../reader/random.ts'

/**
 * Flips single bits in the store and the vault: in the header, in a page of each kind and at
 * `count` random offsets. Each flip must be detected or have no effect.
 */
export async function flipBits(
  machine: Machine,
  path: string,
  { count, random, point }: { count: number; random: Random; point: Point },
): Promise<{ flips: number; found: number }[]> {
  const directory = (() => {
    using project = openProject(machine, path)
    ok(!findsDamage(machine, path), 'damaged before')
    project.store.database.connection.exec('pragma wal_checkpoint(truncate)')
    return project.store.directory
  })()
  const counts: { flips: number; found: number }[] = []
  for (const file of [join(directory, 'store.db'), join(machine.places.data, 'vault/vault.db')]) {
    const whole = readFileSync(file)
    const before = dump(file)
    let found = 0
    const places = [
      ...Array.from({ length: 100 }, (_, n) => n),
      ...kindsOfPlaces(whole),
      ...Array.from({ length: count }, () => random.below(whole.length)),
    ]
    for (const place of places) {
      const damaged = Buffer.from(whole)
      damaged[place]! ^= 1 << random.below(8)
      writeFileSync(file, damaged)
      await point(
        () => `byte ${place} of ${file}`,
        () => {
          if (findsDamage(machine, path)) found += 1
          // An undetected flip must have no effect: it is in free space or in file counters.
          else equal(firstChange(before, dump(file)), null)
        },
      )
      writeFileSync(file, whole)
    }
    counts.push({ flips: places.length, found })
  }
  return counts
}

function findsDamage(machine: Machine, path: string): boolean {
  try {
    using project = openProject(machine, path)
    const found = checkProject(machine, project, { readData: true })
    const { database, records, contents, transcripts, vault } = found
    return [database, records, contents, transcripts, vault].some(({ length }) => length > 0)
  } catch (error) {
    if (error instanceof Failure) return true
    throw error
  }
}

/** Every row of every table, read without Retake's code; or the error if it cannot be read. */
function dump(path: string): string[] {
  const copy = `${path}.look`
  copyFileSync(path, copy)
  try {
    using database = new DatabaseSync(copy)
    const names = database.prepare("select name from sqlite_schema where type = 'table'").all()
    return [{ name: 'sqlite_schema' }, ...names]
      .flatMap(({ name }) =>
        database
          .prepare(`select * from ${String(name)}`)
          .all()
          .map((row) => `${String(name)} ${JSON.stringify(Object.values(row), plain)}`),
      )
      .sort()
  } catch (error) {
    return [String(error)]
  }
}

/** Only the first change: a whole store in the message would hide it. */
function firstChange(before: readonly string[], after: readonly string[]): string | null {
  const [gone, come] = [
    before.filter((row) => !after.includes(row)),
    after.filter((row) => !before.includes(row)),
  ]
  if (gone.length + come.length === 0) return null
  return `was ${gone[0] ?? 'nothing'}, is ${come[0] ?? 'nothing'}`
}

function plain(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** Offsets in the header and the middle of one page of each kind. */
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
