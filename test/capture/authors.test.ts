import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LogView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import type { Tui } from '../agent/interactive.ts'
import { parseView } from '../cli/schemas.ts'
import { APART_MS } from '../histories/played-agent.ts'
import { bash, edit, read, scriptedModel, write } from '../model/index.ts'
import { cli, scene } from '../scene.ts'
import { helloSeen } from './hello-seen.ts'
import { makeHooksPatient } from './patient-hooks.ts'
import { playedSession } from './played-session.ts'

test('[sem.A12][sem.A13] undo reverses a hook’s changes to an edited file and beside it, even if someone reads the log meanwhile, and a deletion beside a new file', async () => {
  await using s = await scene({ files: { 'src/old.ts': 'old\n', 'b.txt': 'a\nb\nc\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  // The agent has written the file, and records its edit only after this hook.
  const log = `${process.execPath} ${cli} log > log.out 2>&1`
  await formatWith(
    s.claudeDir,
    `${log}; sleep 0.3; mkdir -p gen; cp b.txt gen/; sed -i s/b/BBB/ b.txt; ${log}; rm log.out`,
  )
  const env = await makeHooksPatient(s)
  model.on('work', [
    [bash('rm src/old.ts'), write('src/new.ts', 'new\n')],
    edit('b.txt', 'c', 'C'),
    edit('b.txt', 'a', 'A'),
    'done',
  ])
  const sessionId = await helloSeen(s)
  const before = await s.files()
  await agent.prompt('work', { resume: sessionId, env })
  expect(await s.files()).toEqual({
    'b.txt': 'A\nBBB\nC\n',
    'gen/b.txt': 'A\nBBB\nC\n',
    'src/new.ts': 'new\n',
  })
  const { turns } = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(turns[1]!.files.map(({ path, by }) => `${path} ${by}`)).toEqual(
    expect.arrayContaining(['b.txt agent', 'b.txt shell', 'gen/b.txt shell']),
  )
  const undone = await s.retake('undo')
  expect(undone.stdout).toMatch(/^Undid 1 turn: 2 files restored, 2 removed\.\n/)
  expect(undone.stdout).not.toContain('Left as it is')
  expect(await s.files()).toEqual(before)
})

test('[sem.A3] a denied or killed command does not own later changes', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n', 'c.txt': 'c\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  model.on('denied', [bash('echo denied >> a.txt'), 'done'])
  model.on('allowed', [bash('echo allowed >> a.txt; echo b > b.txt'), 'finished'])
  model.on('killed', [bash(`echo $$ > ${s.tmp}/shell; echo x >> c.txt; sleep 30`), 'done'])
  model.on('last', [bash('echo y >> a.txt'), 'done'])
  const tui = await agent.interactive({ asks: true })
  await tui.submit('denied')
  await answer(tui, 'escape')
  await tui.waitFor(/Interrupted/)
  await tui.submit('allowed')
  await answer(tui, 'enter')
  await tui.waitFor(/finished/)
  await tui.submit('killed')
  await answer(tui, 'enter')
  await expect.poll(() => s.read('c.txt'), { timeout: 60_000 }).toBe('c\nx\n')
  const registry = await readdir(join(s.claudeDir, 'sessions'))
  const [pid] = registry.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
  process.kill(Number(pid), 'SIGKILL')
  await tui.ended()
  // The command's shell may have outlived the agent. While it lives, every change may be its own.
  endProcess(Number(await s.read(`${s.tmp}/shell`)))
  const id = tui.sessionId
  await s.retake('status', '--session', id)
  await agent.prompt('last', { resume: id })
  await s.write('mine.txt', 'mine\n')

  const log = parseView<LogView>((await s.retake('log', '--session', id, '--json')).stdout)
  expect(log.turns.map(({ files }) => files.map(({ path, by }) => `${path} ${by}`))).toEqual([
    [],
    ['a.txt shell', 'b.txt shell'],
    ['c.txt unsure'],
    ['a.txt shell'],
  ])
  const undone = await s.retake('undo', '3', '--session', id)
  expect(undone.stdout).toMatch(/^Undid 3 turns: 1 file restored, 1 removed\.\n/)
  expect(undone.stdout).toContain('Left as it is: c.txt: a command was running that did not end')
  expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'c.txt': 'c\nx\n', 'mine.txt': 'mine\n' })
  await s.retake('undo', '--include-unsure', '--session', id)
  expect(await s.read('c.txt')).toBe('c\n')
})

test('[sem.A3] what a command or an edit did before an interrupt is undone or unsure, though the agent records it as denied', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  const forever = (sign: string): string => `touch ${s.tmp}/${sign}; while :; do sleep 0.1; done`
  model.on('command', [bash(`echo x >> a.txt; ${forever('ran')}`), 'done'])
  model.on('edit', [read('b.txt'), edit('b.txt', 'b', 'B'), 'done'])
  const interrupt = async (prompt: string, sign: string, session: string[]): Promise<void> => {
    const args = ['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose', '--dangerously-skip-permissions', ...session] // prettier-ignore
    const child = s.processes.start(agent.binary, args, { cwd: s.project, env: { ...agent.env } })
    const send = (message: object): void => void child.stdin!.write(`${JSON.stringify(message)}\n`)
    const ended = once(child, 'close')
    const answered = new Promise<void>((resolve) =>
      child.stdout!.on('data', (part) => String(part).includes('"type":"result"') && resolve()),
    )
    send({ type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null })
    await expect.poll(() => existsSync(`${s.tmp}/${sign}`), { timeout: 60_000 }).toBe(true)
    send({ type: 'control_request', request_id: '1', request: { subtype: 'interrupt' } })
    await answered
    child.stdin!.end()
    await ended
  }
  const id = randomUUID()
  await interrupt('command', 'ran', ['--session-id', id])
  await formatWith(s.claudeDir, forever('formats'))
  await interrupt('edit', 'formats', ['--resume', id])
  expect(await s.files()).toEqual({ 'a.txt': 'a\nx\n', 'b.txt': 'B\n' })
  const { stdout } = await s.retake('undo', '2', '--session', id, '--yes')
  expect(stdout).toContain('Left as it is: b.txt: the agent was stopped while it edited this file')
  expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'B\n' })
})

test('[sem.A3] changes while a killed agent’s command went on are unsure, also in the resumed session', async () => {
  await using s = await scene({ files: { 'c.txt': 'c\n', 'mine.txt': 'mine\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  const go = `${s.tmp}/go`
  model.on('killed', [bash(`echo x >> c.txt; until [ -e ${go} ]; do sleep 0.1; done; echo y >> c.txt`), 'done']) // prettier-ignore
  const id = randomUUID()
  const args = ['-p', 'killed', '--session-id', id, '--dangerously-skip-permissions']
  const child = s.processes.start(agent.binary, args, { cwd: s.project, env: { ...agent.env } })
  const ended = once(child, 'exit')
  await expect.poll(() => s.read('c.txt'), { timeout: 60_000 }).toBe('c\nx\n')
  child.kill('SIGKILL')
  await ended
  await s.write('mine.txt', 'mine too\n')
  await s.write(go, '')
  await expect.poll(() => s.read('c.txt'), { timeout: 60_000 }).toBe('c\nx\ny\n')
  // The agent now records that the outcome of the command is unknown.
  await agent.prompt('go on', { resume: id })
  const { stdout } = await s.retake('undo', '2', '--session', id, '--yes')
  expect(stdout).toContain('Left as it is: c.txt: a command was running that did not end as usual')
  expect(await s.files()).toEqual({ 'c.txt': 'c\nx\ny\n', 'mine.txt': 'mine too\n' })
})

test('[sem.A3] changes of a command that a killed agent did not record are unsure', async () => {
  await using s = await scene({ files: { 'c.txt': 'c\n', 'mine.txt': 'mine\n' } })
  await s.retake('install')
  using session = await playedSession(s)
  const spool = join(s.env['XDG_STATE_HOME']!, 'retake/spool')
  const { pid: ended } = spawnSync('true')
  await session.turn('killed', async () => {
    await s.write('mine.txt', 'mine too\n')
    await setTimeout(APART_MS)
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_lost' }
    const event = { ...call, session_id: session.id, tool_input: { command: 'echo x >> c.txt' } }
    await s.write(join(spool, `${session.id}.1.event`), JSON.stringify(event))
    await s.write(join(spool, `${session.id}.${ended}.start`), '')
    await s.write('c.txt', 'c\nx\n')
  })
  const { stdout } = await s.retake('undo', '--session', session.id)
  expect(stdout).toContain('Left as it is: c.txt: a command was running that did not end as usual')
  expect(stdout).not.toContain('mine.txt')
  expect(await s.files()).toEqual({ 'c.txt': 'c\nx\n', 'mine.txt': 'mine too\n' })
})

/** Does nothing if it has ended. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

/** Adds a hook of the user's own, which runs after each edit. */
async function formatWith(claudeDir: string, command: string): Promise<void> {
  const path = join(claudeDir, 'settings.json')
  const settings = JSON.parse(await readFile(path, 'utf8')) as {
    hooks: Record<string, unknown[]>
  }
  settings.hooks['PostToolUse']!.push({ matcher: 'Edit', hooks: [{ type: 'command', command }] })
  await writeFile(path, JSON.stringify(settings))
}

/**
 * Answers the permission prompt, which ignores keys that come before it listens. Esc is repeated
 * later, because two that both arrive open the rewind dialog.
 */
async function answer(tui: Tui, key: 'enter' | 'escape'): Promise<void> {
  const asks = (screen: string): boolean => screen.includes('Do you want to proceed')
  await tui.waitFor(asks)
  const timeoutMs = key === 'escape' ? 3000 : 300
  while (asks(tui.screen())) {
    await tui.key(key)
    await tui.waitFor((screen) => !asks(screen), { timeoutMs }).catch(() => {})
  }
}
