import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
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
    const find = (): { path: string; cwd: string; version: string } => ({
      path: rollout,
      cwd: s.project,
      version: '0.166.0',
    })
    expect(findLiveProcesses(home, find)).toEqual([])
    const holder = spawn('flock', ['--no-fork', lock, 'sleep', '60'])
    await expect.poll(() => findLiveProcesses(home, find)!.length).toBe(1)
    const [open] = findLiveProcesses(home, find)!
    expect(open).toMatchObject({
      pid: holder.pid,
      session: ID,
      status: 'busy',
      cwd: s.project,
      version: '0.166.0',
      statusSince: Date.parse('2026-11-18T21:04:06.649Z'),
    })
    expect(Math.abs(Date.now() - open!.startedAt)).toBeLessThan(60_000)
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
