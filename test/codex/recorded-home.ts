import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Scene } from '../scene.ts'

/** Sessions recorded from one version of Codex, by `test/fixtures/codex/record.ts`. */
export interface RecordedFacts {
  readonly version: string
  readonly project: string
  /** The session of each scenario. */
  readonly scenarios: Readonly<Record<string, string>>
  /** The conversation that the program sent when it resumed the session. */
  readonly sent: Readonly<Record<string, readonly string[]>>
  readonly threads: readonly { id: string; rollout_path: string; name: string | null }[]
}

/** Two sessions in a small shop, recorded by `test/fixtures/codex/record-shop.ts`. */
export interface RecordedShop {
  readonly project: string
  readonly scenarios: Readonly<Record<'cart' | 'router', string>>
  readonly threads: RecordedFacts['threads']
  /** The files that the sessions left behind. */
  readonly files: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../fixtures/codex', import.meta.url))

export const recordedVersions: readonly string[] = readdirSync(root).filter((name) =>
  /^\d/.test(name),
)

export function recordedFacts(version: string): RecordedFacts {
  return JSON.parse(readFileSync(join(root, version, 'facts.json'), 'utf8')) as RecordedFacts
}

/** A copy of the recorded home, with an index like that of the program. */
export function recordedHome(version: string): { readonly home: string } & Disposable {
  const around = mkdtempSync(join(tmpdir(), 'retake-codex-'))
  const home = join(around, '.codex')
  mkdirSync(home)
  cpSync(join(root, version), home, { recursive: true })
  const { threads } = recordedFacts(version)
  if (threads.length > 0) makeIndex(home, threads)
  return { home, [Symbol.dispose]: () => rmSync(around, { recursive: true, force: true }) }
}

/** Puts the sessions of the shop into a scene, as if Codex had run in its project. */
export async function placeShop(
  s: Pick<Scene, 'home' | 'project' | 'write'>,
): Promise<RecordedShop> {
  const read = (path: string): string => readFileSync(join(root, 'shop', path), 'utf8')
  const shop = JSON.parse(read('facts.json')) as RecordedShop
  const home = join(s.home, '.codex')
  for (const { rollout_path: path } of shop.threads)
    await s.write(join(home, path), read(path).replaceAll(shop.project, s.project))
  makeIndex(home, shop.threads)
  for (const [path, text] of Object.entries(shop.files)) await s.write(path, text)
  return shop
}

function makeIndex(home: string, threads: RecordedFacts['threads']): void {
  const database = new DatabaseSync(join(home, 'state_5.sqlite'))
  database.exec('create table threads (id text primary key, rollout_path text, name text)')
  const insert = database.prepare('insert into threads values (?, ?, ?)')
  for (const { id, rollout_path: path, name } of threads) insert.run(id, join(home, path), name)
  database.close()
}
