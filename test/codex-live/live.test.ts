import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, copyFile, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLiveProcesses } from '../../src/agents/codex/live/index.ts'
import { readLockTable, readLsof } from '../../src/agents/codex/live/locks.ts'
import { isInteractive } from '../../src/agents/codex/live/processes.ts'
import { readTurnState } from '../../src/agents/codex/live/turn-state.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'

const ID = '01a1f079-57b7-7481-b2fd-b073f4043be6'
const rows = readFileSync('test/fixtures/codex-live/turn.jsonl', 'utf8').split(/(?<=\n)/)

needs('flock')(
  'a session is open while a process holds its lock, and not after a kill',
  async () => {
    await using s = await scene()
    const home = join(s.home, '.codex')
    const directory = join(home, 'thread-writer-locks')
    await mkdir(directory, { recursive: true })
    const lock = join(directory, `${ID}.lock`)
    const rollout = join(home, 'rollout.jsonl')
    await writeFile(join(directory, '.coordination.lock'), '')
    await writeFile(lock, '')
    await writeFile(rollout, rows.slice(0, 1).join(''))
    const find = () => ({
      path: rollout,
      cwd: s.project,
      version: '0.166.0',
      isLocked: true,
    })
    expect(findLiveProcesses(home, find)).toEqual([])
    const holder = spawn('flock', ['--no-fork', lock, 'sleep', '60'])
    await expect.poll(() => findLiveProcesses(home, find)!.length).toBe(1)
    const [held] = findLiveProcesses(home, find)!
    expect(held).toMatchObject({
      pid: holder.pid,
      session: ID,
      status: 'busy',
      cwd: s.project,
      version: '0.166.0',
      statusSince: Date.parse('2026-11-18T21:04:06.649Z'),
    })
    expect(Math.abs(Date.now() - held!.startedAt)).toBeLessThan(60_000)
    await appendFile(rollout, rows.slice(1).join(''))
    expect(findLiveProcesses(home, find)![0]!.status).toBe('idle')
    // Before its first prompt a session has a lock, and no rollout.
    expect(findLiveProcesses(home, () => null)![0]!.status).toBe('idle')
    const ended = once(holder, 'exit')
    holder.kill('SIGKILL')
    await ended
    expect(findLiveProcesses(home, find)).toEqual([])
  },
)

needs('linux')(
  '[port] a session of Codex before 0.148.0, which takes no lock, is open while a process can write its rollout',
  async () => {
    await using s = await scene()
    const home = join(s.home, '.codex')
    const rollout = join(home, `sessions/2026/11/18/rollout-2026-11-18T21-53-41-${ID}.jsonl`)
    await s.write(rollout, rows.slice(0, 1).join(''))
    // Linux names a process by its file.
    const program = join(s.tmp, 'codex')
    await copyFile('/bin/sleep', program)
    const live = (isLocked: boolean) =>
      findLiveProcesses(home, () => ({ path: rollout, cwd: s.project, version: null, isLocked }))
    const openWith = async (flags: string): Promise<ChildProcess> => {
      const file = await open(rollout, flags)
      const child = spawn(program, ['60'], { stdio: ['ignore', file.fd, 'ignore'] })
      await once(child, 'spawn')
      await file.close()
      return child
    }
    const reader = await openWith('r')
    expect(live(false)).toEqual([])
    const writer = await openWith('a')
    await expect
      .poll(() => live(false))
      .toMatchObject([{ pid: writer.pid, session: ID, status: 'busy' }])
    // Newer versions may keep a rollout open after they left the session, and only the lock counts.
    expect(live(true)).toEqual([])
    for (const child of [reader, writer]) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    expect(live(false)).toEqual([])
  },
)

test('a turn runs from the row that begins it to the row that ends it', async () => {
  await using s = await scene()
  const path = join(s.tmp, 'rollout.jsonl')
  const state = async (...texts: string[]): Promise<string> => {
    await writeFile(path, texts.join(''))
    return readTurnState(path).status
  }
  expect(readTurnState(path)).toEqual({ status: 'idle', since: null })
  expect(await state('')).toBe('idle')
  expect(await state(rows[0]!)).toBe('busy')
  expect(await state(...rows)).toBe('idle')
  const aborted = rows[0]!.replace('"task_started"', '"turn_aborted"')
  expect(await state(...rows, rows[0]!, aborted)).toBe('idle')
  // Output of a command that looks like such a row is escaped in the rollout.
  const output = JSON.stringify({ payload: { type: 'x', output: rows.at(-2) } })
  expect(await state(rows[0]!, `${output}\n`)).toBe('busy')
  // The row that began the turn is far back, or lies across two parts that are read.
  for (const size of [255_900, 256_000, 262_000, 800_000])
    expect(await state(rows[0]!, `{"x":"${'y'.repeat(size)}"}\n`)).toBe('busy')
  expect(await state('\0\n', rows[0]!, '{"timestamp":')).toBe('busy')
})

test('the tables of locks and open files are read, and nothing else', () => {
  const table = [
    '1: FLOCK  ADVISORY  WRITE 30983 fe:00:2263479 0 EOF',
    '2: POSIX  ADVISORY  WRITE 30883 fe:00:2263479 128 128',
    '3: FLOCK  ADVISORY  WRITE -1 00:2f:17 0 EOF',
    '3: -> FLOCK  ADVISORY  WRITE 99 00:2f:17 0 EOF',
    'torn: FLOCK',
  ].join('\n')
  expect(Object.fromEntries(readLockTable(table))).toEqual({ 2263479: [30983], 17: [0] })
  expect(readLsof('p12\nf3\nn/a/b.lock\np13\nf9\nn/c\n')).toEqual([
    { pid: 12, path: '/a/b.lock' },
    { pid: 13, path: '/c' },
  ])
})

test('a person uses the screen or the background server, not `exec` or another program’s server', () => {
  const used = (line: string): boolean => isInteractive(line.split(' '))
  expect(used('codex')).toBe(true)
  expect(used('codex --no-daemon resume --last')).toBe(true)
  expect(used('codex app-server --listen unix:// --managed-daemon')).toBe(true)
  expect(used('codex exec --json fix')).toBe(false)
  expect(used('codex app-server')).toBe(false)
})
