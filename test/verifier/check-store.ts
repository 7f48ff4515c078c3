import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { unpack } from './read-store.ts'
import { gitId } from './tree.ts'

/** A store's contents and problems, read without Retake's code. */
export interface StoreChecked {
  readonly contents: ReadonlySet<string>
  readonly wrong: readonly string[]
}

const KNOWN = /^(store\.db|lock\.db)(-wal|-shm|-journal)?$|^(quarantine|large|watch|root\.json)$/

/** Checks all stores below a data directory; normally there is one. */
export function checkStores(data: string): StoreChecked {
  const contents = new Set<string>()
  const wrong: string[] = []
  const projects = join(data, 'projects')
  for (const key of existsSync(projects) ? readdirSync(projects) : []) {
    const directory = join(projects, key)
    for (const name of readdirSync(directory))
      if (!KNOWN.test(name)) wrong.push(`I6 left behind: ${key}/${name}`)
    // A crash before the first transaction leaves no store.db.
    if (existsSync(join(directory, 'store.db'))) checkStore(directory, contents, wrong)
  }
  return { contents, wrong }
}

function checkStore(directory: string, contents: Set<string>, wrong: string[]): void {
  using database = new DatabaseSync(join(directory, 'store.db'))
  const [integrity] = database.prepare('pragma integrity_check').all()
  if (integrity?.['integrity_check'] !== 'ok') wrong.push(`the store: ${JSON.stringify(integrity)}`)
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (!tables.some(({ name }) => name === 'content')) return
  const named = new Set<string>()
  for (const row of database.prepare('select * from content').all()) {
    const id = String(row['id'])
    if (row['bytes'] === null) named.add(id)
    const bytes = unpack(row) ?? readLarge(directory, id, row['encoding'] === 'zstd')
    if (bytes !== null && gitId(bytes) === id) contents.add(id)
    else wrong.push(`content ${id} has other bytes, or none`)
  }
  const large = join(directory, 'large')
  for (const name of existsSync(large) ? readdirSync(large) : [])
    if (!named.has(name)) wrong.push(`I6 left behind: large/${name}`)
  for (const { id, state } of database
    .prepare('select id, state from operation where tidy = 0')
    .all())
    wrong.push(`I1 operation ${String(id)} is ${String(state)} and not at its end`)
}

function readLarge(directory: string, id: string, isPacked: boolean): Buffer | null {
  try {
    const packed = readFileSync(join(directory, 'large', id))
    return isPacked ? zstdDecompressSync(packed) : packed
  } catch {
    return null
  }
}
