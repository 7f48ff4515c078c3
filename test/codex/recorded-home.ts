import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

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

function makeIndex(home: string, threads: RecordedFacts['threads']): void {
  const database = new DatabaseSync(join(home, 'state_5.sqlite'))
  database.exec('create table threads (id text primary key, rollout_path text, name text)')
  const insert = database.prepare('insert into threads values (?, ?, ?)')
  for (const { id, rollout_path: path, name } of threads) insert.run(id, join(home, path), name)
  database.close()
}
