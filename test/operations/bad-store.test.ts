import {
  chmod,
  copyFile,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from './played.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: { hello: 'hi', T1: [[edit('a', '1', 'one'), write('b', 'b\n')], 'done'] },
})

async function storeOf(p: Played): Promise<string> {
  const projects = join(p.s.env['XDG_DATA_HOME']!, 'retake/projects')
  const [only, ...more] = await readdir(projects)
  expect(more).toEqual([])
  return join(projects, only!)
}

test('[R13][FT4] a damaged, foreign or newer store changes nothing and is not changed itself', async () => {
  const p = await session()
  await p.run('undo')
  const directory = await storeOf(p)
  const file = join(directory, 'store.db')
  const good = await readFile(file)
  const put = async (bytes: Buffer) => {
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
    await writeFile(file, bytes)
  }

  // Bytes in the middle of the database.
  await put(Buffer.concat([good.subarray(0, 4096), Buffer.alloc(good.length - 4096, 0xa5)]))
  expect(await p.refused('redo')).toMatchObject({ exit: 1, code: 'store-damaged' })
  const check = await p.s.retake('check', '--json')
  expect(check.code).toBe(1)
  expect(check.stdout).toMatch(/store-damaged|"database": \[\n +"/)
  expect((await p.s.retake('log', '--json')).code).toBe(0)
  expect((await p.s.retake('status', '--json')).code).toBe(0)
  expect((await p.s.retake('sessions', '--json')).code).toBe(0)

  // Not a database, and another program's database.
  const noise = Buffer.from('These are the notes of somebody else.\n'.repeat(200))
  const other = join(p.s.tmp, 'other.db')
  const database = new DatabaseSync(other)
  database.exec('create table t (x); insert into t values (1)')
  database.close()
  for (const bytes of [noise, await readFile(other)]) {
    await put(bytes)
    expect(await p.refused('redo')).toMatchObject({ exit: 1, code: 'store-foreign' })
    expect(await readFile(file)).toEqual(bytes)
  }

  // Written by a newer Retake: readable, not writable.
  await put(good)
  const newer = new DatabaseSync(file)
  newer.exec('pragma user_version = 999')
  newer.close()
  expect(await p.refused('redo')).toMatchObject({ exit: 1, code: 'store-newer' })
  expect((await p.s.retake('op', 'log')).code).toBe(0)
  expect((await p.s.retake('log')).code).toBe(0)

  // An empty file, left by a crash: everything known is in the project's files.
  await put(Buffer.alloc(0))
  await p.run('redo')
  expect(await p.files()).toMatchObject({ a: 'one\n', b: 'b\n' })
})

test('[R13][I7] a flipped bit in a stored content is found, and its bytes are never restored', async () => {
  const p = await session()
  await p.run('undo')
  const file = join(await storeOf(p), 'store.db')
  const { contents } = await p.read<{ contents: { id: string }[] }>('where', 'b')
  const database = new DatabaseSync(file)
  database.exec("update content set bytes = x'00112233445566'")
  database.close()
  expect(await p.refused('redo')).toMatchObject({ exit: 1, code: 'content-damaged' })
  const checked = await p.s.retake('check', '--read-data', '--json')
  expect(checked.code).toBe(1)
  expect(checked.stdout).toContain(contents[0]!.id)
})

test('[F7] a missing transcript, a missing project and a damaged transcript', async () => {
  const p = await session()
  const { path } = await p.agent.transcript(p.id)

  // The last line is torn because the agent died while writing. It stays as it is.
  await copyFile(path, `${path}.kept`)
  const file = await open(path, 'a')
  await file.write('{"type":"user","uuid":"half')
  await file.close()
  expect(await p.run('undo')).toMatchObject({ turnsUndone: 1, conversation: 'moved' })
  expect(await p.sent()).toEqual(['hello'])
  await p.run('redo')
  expect(await p.line()).toEqual(['hello', 'T1'])

  await rename(path, `${path}.away`)
  expect(await p.refused('undo')).toMatchObject({ exit: 6, code: 'session-not-found' })
  await rename(`${path}.away`, path)

  await rename(p.s.project, `${p.s.project}.away`)
  const gone = await p.s.retake('undo', '--session', p.id, '--json', { cwd: p.s.root })
  expect(gone.code).toBe(6)
  expect(JSON.parse(gone.stdout)).toMatchObject({ code: 'project-missing' })
  const chat = await p.s.retake('log', '--session', p.id, { cwd: p.s.root })
  expect(chat.code).toBe(0)
  await rename(`${p.s.project}.away`, p.s.project)
  expect((await stat(p.s.project)).isDirectory()).toBe(true)
  await p.run('undo')
  await chmod(path, 0o600)
})
