import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { durableDisk, nameBytes } from '#disk'
import { openStore, openVault } from '#store'
import { ROOT } from '../fixtures/upgrade/upgrade-facts.ts'
import type { RunResult, Scene } from '../scene.ts'

type Database = ReturnType<typeof openVault>['database']

/** Everything that a release left on a machine, from test/fixtures/upgrade. */
export interface OldMachine {
  readonly project: string
  readonly transcript: string
  readonly data: string
  readonly settings: string
  readonly spool: string
  readonly runtime: string
  readonly store: string
  readonly vault: string
  retake(...args: string[]): Promise<RunResult>
}

export function openOldMachine(s: Scene, version: string): OldMachine {
  // As long as before: rows of a transcript are identified by their position.
  const root = join(s.root, 'old').padEnd(ROOT.length, '-')
  const demo = join(root, 'demo')
  const dirs = ['config', 'data', 'state', 'cache', 'run'] as const
  for (const name of dirs) mkdirSync(join(demo, name), { recursive: true, mode: 0o700 })
  const [config, data, state, cache, runtime] = dirs.map((name) => join(demo, name))
  const project = join(demo, 'shop')
  const moved = (text: string): string =>
    text.replaceAll(ROOT, root).replaceAll(encoded(ROOT), encoded(root))
  const bytesOf = (name: string): Buffer =>
    readFileSync(new URL(`../fixtures/upgrade/${version}/${name}`, import.meta.url))
  const read = <T>(name: string): Record<string, T> =>
    JSON.parse(gunzipSync(bytesOf(name)).toString()) as Record<string, T>

  for (const [path, text] of Object.entries(read<string>('project.json.gz')))
    write(join(project, path), text)
  const sessions = Object.entries(read<string>('claude.json.gz'))
  const paths = sessions.map(([path, text]) => {
    const to = join(demo, 'claude/projects', moved(path))
    write(to, moved(text))
    return to
  })
  const settings = join(config!, 'retake/settings.json')
  write(settings, bytesOf('settings.json'))
  const spool = join(state!, 'retake/spool')
  for (const [name, { at, text }] of Object.entries(
    read<{ at: string; text: string }>('spool.json.gz'),
  )) {
    write(join(spool, name), moved(text))
    utimesSync(join(spool, name), Number(at) / 1e9, Number(at) / 1e9)
  }

  const stat = durableDisk.stat(nameBytes(project))!
  const where = { data: join(data!, 'retake'), disk: durableDisk, root: { path: project, stat } }
  const made = openStore(where)
  const store = join(made.directory, 'store.db')
  made.close()
  writeFileSync(store, gunzipSync(bytesOf('store.db.gz')))
  const opened = openStore(where)
  relocate(opened.database, { link: 'evidence', operation: 'details' }, moved)
  opened.close()
  const vault = join(data!, 'retake/vault/vault.db')
  write(vault, gunzipSync(bytesOf('vault.db.gz')))
  using kept = openVault(where)
  relocate(kept.database, { session: 'project', file: 'path' }, moved)

  const env = {
    CLAUDE_CONFIG_DIR: join(demo, 'claude'),
    XDG_CONFIG_HOME: config!,
    XDG_DATA_HOME: data!,
    XDG_STATE_HOME: state!,
    XDG_CACHE_HOME: cache!,
    XDG_RUNTIME_DIR: runtime!,
  }
  return {
    project,
    transcript: paths.find((path) => !path.includes('subagents'))!,
    data: where.data,
    settings,
    spool,
    runtime: join(runtime!, 'retake'),
    store,
    vault,
    retake: (...args) => s.retake(...args, { cwd: project, env }),
  }
}

/** The name of Claude Code's directory for a project. */
function encoded(path: string): string {
  return path.replaceAll(/[^a-zA-Z0-9]/g, '-')
}

/** Through Retake's connection, so that the checksums of the rows follow. */
function relocate(
  { connection }: Database,
  columns: Readonly<Record<string, string>>,
  moved: (text: string) => string,
): void {
  for (const [table, column] of Object.entries(columns)) {
    const change = connection.prepare(`update ${table} set ${column} = ? where ${column} = ?`)
    const rows = connection.prepare(`select distinct ${column} as text from ${table}`).all()
    for (const { text } of rows) if (typeof text === 'string') change.run(moved(text), text)
  }
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, content, { mode: 0o600 })
}
