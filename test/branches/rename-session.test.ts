import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ErrorView, ReceiptView, SessionsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { edit } from '../model/index.ts'
import { footprint } from '../operations/footprint.ts'
import { type Played, playedOnce } from '../operations/played.ts'

const start = playedOnce({
  files: { a: '1\n' },
  turns: { T1: [edit('a', '1', 'one'), 'did T1'], T2: [edit('a', 'one', 'two'), 'did T2'] },
})

async function retake<T>(p: Played, ...args: string[]): Promise<T & { exit: number }> {
  const { code, stdout, stderr } = await p.s.retake(...args, '--json')
  expect(stderr).toBe('')
  return { ...parseView<T>(stdout), exit: code }
}

async function titleIn(p: Played, id: string): Promise<string> {
  const { sessions } = await retake<SessionsView>(p, 'sessions')
  return sessions.find((session) => session.id === id)!.title
}

interface Info {
  sessionId: string
  customTitle?: string
}

/** The title that a user gave, as listed by the agent's own library. */
async function titleOf(p: Played, id: string): Promise<string | null> {
  const listed = await p.agent.sdkCall<Info[]>('listSessions', { dir: p.s.project })
  return listed.find(({ sessionId }) => sessionId === id)!.customTitle ?? null
}

/** The title that the running agent shows for its open session. */
async function nameShown(p: Played, id: string): Promise<string | null> {
  const directory = join(p.s.claudeDir, 'sessions')
  for (const name of (await readdir(directory)).filter((each) => each.endsWith('.json'))) {
    const entry = JSON.parse(await readFile(join(directory, name), 'utf8')) as Record<
      string,
      string
    >
    if (entry['sessionId'] === id) return entry['name'] ?? null
  }
  return null
}

test('[W11] a branch session gets another title, which the real agent shows and keeps; op undo restores the old one', async () => {
  const p = await start()
  const made = await retake<ReceiptView>(p, 'branch', '1', '--only', 'chat', '--session', p.id)
  const { id } = made.branches![0]!
  expect(await titleOf(p, id)).toBe('T1 (Branch)')

  const before = await footprint(p.s)
  const renamed = await retake<ReceiptView>(p, 'branch', 'rename', id.slice(0, 8), 'Try two')
  expect(renamed).toMatchObject({
    exit: 0,
    verb: 'branch-rename',
    session: id,
    branches: [{ id, label: 'T1 (Branch)' }],
    name: 'Try two',
    conversation: 'unchanged',
  })
  expect([await titleOf(p, id), await titleIn(p, id)]).toEqual(['Try two', 'Try two'])
  const info = await p.agent.sdkCall<Info>('getSessionInfo', id)
  expect(info.customTitle).toBe('Try two')
  // Two more rows in its transcript, as the agent writes them, and no other change.
  const after = await footprint(p.s)
  expect(after.project).toEqual(before.project)
  for (const [path, bytes] of after.agent) {
    const old = before.agent.get(path)!
    expect(bytes.subarray(0, old.length)).toEqual(old)
    const added = bytes.subarray(old.length).toString().trim().split('\n')
    if (path.endsWith(`${id}.jsonl`))
      expect(added.map((line) => JSON.parse(line) as object)).toEqual([
        { type: 'custom-title', customTitle: 'Try two', sessionId: id },
        { type: 'agent-name', agentName: 'Try two', sessionId: id },
      ])
    else expect(added).toEqual([''])
  }

  const tui = await p.agent.interactive({ resume: id })
  await expect.poll(() => nameShown(p, id), { timeout: 60_000 }).toBe('Try two')
  await tui.submit('on')
  await tui.waitFor(/● ok/)
  expect(p.model.userTexts()).toEqual(['T1', 'on'])
  const busy = await retake<ErrorView>(p, 'branch', 'rename', id, 'Now')
  expect(busy).toMatchObject({ exit: 5, code: 'session-live' })
  await tui.submit('/exit')
  await expect.poll(() => nameShown(p, id), { timeout: 60_000 }).toBeNull()
  expect(await titleOf(p, id)).toBe('Try two')

  // Later prompts do not affect a title.
  const undone = await retake<ReceiptView>(p, 'op', 'undo', '--session', id)
  expect([await titleOf(p, id), await titleIn(p, id)]).toEqual(['T1 (Branch)', 'T1 (Branch)'])
  await retake(p, 'op', 'undo', String(undone.operation), '--session', id)
  expect(await titleOf(p, id)).toBe('Try two')
  expect(await retake<ReceiptView>(p, 'branch', 'rename', id, ' Try  two ')).toMatchObject({
    exit: 0,
    operation: null,
  })
})

test('[W11] a session that the agent forked can be renamed too, and the agent’s own rename stays', async () => {
  const p = await start()
  const { sessionId: id } = await p.agent.prompt('forked', {
    resume: p.id,
    args: ['--fork-session'],
    recorded: true,
  })
  expect(await titleOf(p, id)).toBeNull()
  const first = await retake<ReceiptView>(p, 'branch', 'rename', id, 'Mine')
  expect(await titleOf(p, id)).toBe('Mine')
  // Without an earlier title, it has none again.
  await retake(p, 'op', 'undo', String(first.operation), '--session', id)
  expect([await titleOf(p, id), await titleIn(p, id)]).toEqual([null, 'T1'])

  await retake(p, 'branch', 'rename', id, 'Mine')
  await p.agent.sdkCall('renameSession', id, 'Theirs')
  expect(await titleIn(p, id)).toBe('Theirs')
  const refused = await retake<ErrorView>(p, 'op', 'undo', '--session', id)
  expect(refused).toMatchObject({ exit: 4, code: 'title-changed' })
  expect(await titleOf(p, id)).toBe('Theirs')

  for (const wrong of ['', '   ', 'x'.repeat(201), 'a\u0007b'])
    expect(await retake<ErrorView>(p, 'branch', 'rename', id, wrong)).toMatchObject({
      exit: 2,
      code: 'name-not-possible',
    })
  // A session that is not a branch session has the id of its first line.
  const trunk = await retake<ReceiptView>(p, 'branch', 'rename', p.id, 'first', '--session', p.id)
  expect(trunk).toMatchObject({ session: p.id, branches: [{ id: p.id, label: 'main' }] })
  expect(await titleOf(p, p.id)).toBeNull()
})
