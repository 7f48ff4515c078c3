import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { CheckView, ErrorView, RescueView, SessionsView, StatusView } from '#protocol'
import { helloSession } from '../agent/recorded.ts'
import { parseView } from '../cli/schemas.ts'
import { edit } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { scene } from '../scene.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\n' },
  turns: { T1: ['hello'], T2: [edit('a.txt', 'b', 'B'), 'done'], T3: ['bye'] },
  checkpointing: true,
})

async function pathOf(p: Played): Promise<string> {
  return (await p.agent.transcript(p.id)).path
}

test('[FT15] a missing transcript is reported and rescued, and the real agent resumes it', async () => {
  const p = await base()
  const path = await pathOf(p)
  await p.status()
  const before = await readFile(path)
  await rm(path)
  await rm(path.replace('.jsonl', ''), { recursive: true, force: true })

  const { lost } = parseView<SessionsView>((await p.s.retake('sessions', '--all', '--json')).stdout)
  expect(lost).toMatchObject([
    { session: p.id, how: 'gone', kept: before.length, left: 0, project: p.s.project },
  ])
  const gone = await p.s.retake('status', '--session', p.id, '--json')
  expect(parseView<ErrorView>(gone.stdout)).toMatchObject({
    code: 'session-not-found',
    hint: expect.stringContaining(`retake rescue ${p.id}`) as string,
  })

  const { stdout } = await p.s.retake('rescue', p.id.slice(0, 8), '--json')
  const { newSession, files, bytes } = parseView<RescueView>(stdout)
  expect(newSession).not.toBe(p.id)
  expect(bytes).toBeGreaterThanOrEqual(before.length)
  expect(await readFile(join(dirname(path), `${newSession}.jsonl`))).toEqual(before)
  expect(files.some((file) => file.includes(`file-history/${newSession}/`))).toBe(true)
  await p.agent.probe(newSession)
  expect(p.model.userTexts()).toEqual(['T1', 'T2', 'T3', 'probe'])
  const after = parseView<SessionsView>((await p.s.retake('sessions', '--all', '--json')).stdout)
  expect(after.lost).toEqual([])
  // The turns are the same: their file changes can be undone from the new session.
  const undone = await p.s.retake('undo', '2', '--session', newSession, '--json')
  expect(undone.code).toBe(0)
  expect(await p.s.read('a.txt')).toBe('a\nb\nc\n')
})

test('[FT15] a truncated or rewritten transcript is distinguished from a grown one, and nothing seen is lost', async () => {
  const p = await base()
  const path = await pathOf(p)
  await p.status()
  const whole = await readFile(path)
  await writeFile(path, `{"type":"mode","mode":"normal","sessionId":"${p.id}"}\n`, { flag: 'a' })
  expect((await p.status()).lost).toEqual([])
  const grown = await readFile(path)
  expect(grown.subarray(0, whole.length)).toEqual(whole)

  const half = grown.lastIndexOf('\n', grown.lastIndexOf('"content":"T3"')) + 1
  await truncate(path, half)
  const { lost } = await p.status()
  expect(lost).toMatchObject([{ session: p.id, how: 'shrunk', kept: grown.length, left: half }])
  const { stdout } = await p.s.retake('undo', '--session', p.id, '--dry-run', '--json')
  expect(parseView<{ warnings: string[] }>(stdout).warnings).toContainEqual(
    expect.stringContaining(`was cut: ${half} of ${grown.length} bytes are left`),
  )
  // It keeps growing, and then its beginning is rewritten.
  await writeFile(path, whole.subarray(half), { flag: 'a' })
  await p.status()
  await writeFile(path, Buffer.concat([Buffer.from('{}\n'), whole]))
  const twice = (await p.status()).lost
  expect(twice.map(({ how, kept }) => ({ how, kept }))).toEqual([
    { how: 'shrunk', kept: grown.length },
  ])
  const again = (await p.status()).lost
  expect(again.map(({ how }) => how)).toEqual(['shrunk', 'rewritten'])

  const rescued = parseView<RescueView>((await p.s.retake('rescue', p.id, '--json')).stdout)
  const written = await readFile(join(dirname(path), `${rescued.newSession}.jsonl`))
  expect([whole, grown].some((bytes) => bytes.equals(written))).toBe(true)
})

test('[R13][FT24] a copy with changed compressed bytes or marks counts as damaged', async () => {
  const p = await base()
  await p.status()
  const check = async (): Promise<{ code: number; transcripts: number }> => {
    const { code, stdout } = await p.s.retake('check', '--read-data', '--json')
    return { code, transcripts: parseView<CheckView>(stdout).transcripts.length }
  }
  using vault = new DatabaseSync(join(p.s.env['XDG_DATA_HOME']!, 'retake/vault/vault.db'))
  expect(await check()).toEqual({ code: 0, transcripts: 0 })
  vault.exec('drop trigger chunk_changed; update chunk set redacted = 1 where id = 1')
  expect(await check()).toEqual({ code: 1, transcripts: 1 })
})

test('[W20] a session that was never read cannot be rescued, and a complete one needs no rescue', async () => {
  await using s = await scene()
  const sessionId = await helloSession(s)
  const refused = async () => {
    const { code, stdout } = await s.retake('rescue', sessionId, '--json')
    return { exit: code, ...parseView<ErrorView>(stdout) }
  }
  expect(await refused()).toMatchObject({ exit: 6, code: 'session-not-found' })
  const status = parseView<StatusView>((await s.retake('status', '--json')).stdout)
  expect(status.kept).toMatchObject({ level: 'fine' })
  expect(await refused()).toMatchObject({ exit: 1, code: 'nothing-lost' })
})
