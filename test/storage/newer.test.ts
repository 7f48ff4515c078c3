import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { durableDisk } from '#disk'
import type { ErrorView } from '#protocol'
import { holdProcessLock } from '#store'
import { parseView } from '../cli/schemas.ts'
import { SESSION } from '../fixtures/upgrade/upgrade-facts.ts'
import { readTree } from '../house/tree.ts'
import { scene } from '../scene.ts'
import { openOldMachine, type OldMachine } from './old-machine.ts'

const UPDATE = expect.stringContaining('Update Retake') as string

async function refused(old: OldMachine, ...args: string[]) {
  const { code, stdout } = await old.retake(...args, '--json')
  return { exit: code, ...parseView<ErrorView>(stdout) }
}

async function works(old: OldMachine, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await old.retake(...args)
  expect(code, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0)
}

function change(path: string, sql: string): Buffer {
  using database = new DatabaseSync(path)
  database.exec(`${sql}; pragma wal_checkpoint(truncate)`)
  return readFileSync(path)
}

test('[FT24] the store of a newer version is read and not changed', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  const before = change(old.store, 'pragma user_version = 99')
  const files = await readTree(old.project)
  expect(await refused(old, 'redo')).toMatchObject({ exit: 1, code: 'store-newer', hint: UPDATE })
  await works(old, 'log')
  await works(old, 'op', 'log')
  expect(readFileSync(old.store).equals(before)).toBe(true)
  expect(await readTree(old.project)).toEqual(files)
})

test('[FT24] the vault of a newer version is not changed, and undo works', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  // A later version may have renamed the tables.
  const before = change(old.vault, 'alter table file rename to files; pragma user_version = 99')
  await works(old, 'status')
  await works(old, 'redo')
  const { stderr } = await old.retake('log')
  expect(stderr).toContain('The transcript could not be copied: A newer version of Retake wrote')
  expect((await old.retake('check', '--read-data')).stdout).toContain('A newer version of Retake')
  const sessions = readdirSync(join(old.transcript, '..'))
  rmSync(old.transcript)
  expect(await refused(old, 'rescue', SESSION)).toMatchObject({ code: 'store-newer', hint: UPDATE })
  expect(readFileSync(old.vault).equals(before)).toBe(true)
  expect([...readdirSync(join(old.transcript, '..')), `${SESSION}.jsonl`].toSorted()).toEqual(
    sessions.toSorted(),
  )
})

test('[FT24] a setting of a newer version is kept; a value of a newer kind stops what depends on it', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  const write = (settings: object): string => {
    writeFileSync(old.settings, JSON.stringify(settings))
    return readFileSync(old.settings, 'utf8')
  }
  const unknown = write({ theme: { dark: true } })
  await works(old, 'redo')
  expect(readFileSync(old.settings, 'utf8')).toBe(unknown)
  const wrong = write({ retention: { days: 30 } })
  expect(await refused(old, 'gc', '--yes')).toMatchObject({
    exit: 1,
    code: 'settings-invalid',
    message: `\`retention\` in ${old.settings} must be a whole number of days, at least 1.`,
  })
  await works(old, 'undo')
  expect(readFileSync(old.settings, 'utf8')).toBe(wrong)
})

test('[FT24] events of newer hooks do not stop the others', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  const later = `${SESSION}.99.later`
  writeFileSync(join(old.spool, later), '?')
  const unknown = { hook_event_name: 'ToolPaused', session_id: SESSION, tool_use_id: 'toolu_new' }
  writeFileSync(join(old.spool, `${SESSION}.98.event`), JSON.stringify(unknown))
  await works(old, 'observe', SESSION, 'all')
  expect(readdirSync(old.spool)).toEqual([later])
  expect(readFileSync(join(old.spool, later), 'utf8')).toBe('?')
  using store = new DatabaseSync(old.store)
  const { n } = store
    .prepare("select count(*) as n from shell_step where tool like '%done%'")
    .get()!
  expect(n).toBe(2)
  expect(store.prepare("select * from shell_step where tool like '%new%'").all()).toEqual([])
})

test('[FT24] an operation that a newer version recorded stops undo, and not the log', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  await works(old, 'redo', '2')
  const before = change(
    old.store,
    `drop trigger operation_changed;
     update operation set details = replace(details, '"version":1', '"version":2')
     where id = (select max(id) from operation)`,
  )
  const files = await readTree(old.project)
  const newer = { exit: 1, code: 'store-newer', hint: UPDATE }
  expect(await refused(old, 'undo')).toMatchObject(newer)
  expect(await refused(old, 'op', 'undo')).toMatchObject(newer)
  expect(await refused(old, 'op', 'log')).toMatchObject(newer)
  await works(old, 'log')
  expect(readFileSync(old.store).equals(before)).toBe(true)
  expect(await readTree(old.project)).toEqual(files)
})

test('[FT24] next to the server of a newer version, a second one is refused at once', async () => {
  await using s = await scene()
  const old = openOldMachine(s, '0.1.0')
  mkdirSync(old.runtime, { mode: 0o700 })
  using lock = holdProcessLock(durableDisk, old.runtime, 'server.lock')
  expect(lock).not.toBeNull()
  const record = JSON.stringify({ schema: 'retake.server/2', address: 'unix:/x' })
  const path = join(old.runtime, 'server.json')
  writeFileSync(path, record, { mode: 0o600 })
  const began = performance.now()
  expect(await refused(old, 'serve')).toMatchObject({
    exit: 1,
    code: 'server-silent',
    message: 'A newer version of Retake runs the server here.',
    hint: UPDATE,
  })
  expect(performance.now() - began).toBeLessThan(9000)
  expect((await old.retake('doctor')).stdout).toContain('A newer version of Retake runs the server')
  await works(old, 'redo')
  expect(readFileSync(path, 'utf8')).toBe(record)
})
