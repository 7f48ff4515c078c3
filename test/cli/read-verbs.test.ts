import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, SessionsView, ShowView, StatusView, TreeView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { helloSession } from '../agent/recorded.ts'
import { bash, edit, read, scriptedModel, write } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { recallOrRun } from '../operations/recorded-run.ts'
import { scene } from '../scene.ts'
import { parseView } from './schemas.ts'

test('[G1][U2] a real session is listed, logged and shown turn by turn', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\ntwo\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('first', [[write('b.txt', '1\n2\n3\n'), bash('true')], 'made b'])
  model.on('second', [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'edited a'])
  const prompts = ['first', 'second']
  const run = () => playSession({ s, agent, prompts, checkpointing: false })
  const sessionId = await recallOrRun({ s, model, session: null, asked: { prompts }, run })

  const { sessions } = parseView<SessionsView>((await s.retake('sessions', '--json')).stdout)
  expect(sessions).toMatchObject([
    {
      id: sessionId,
      agent: 'claude-code',
      title: 'first',
      project: s.project,
      turns: 2,
      branches: 1,
      live: null,
    },
  ])

  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.head).toEqual({ id: log.turns[1]!.id, number: 2 })
  expect(
    log.turns.map(({ number, prompt, state, steps, messages, files, commands, coverage }) => ({
      number, prompt, state, steps, messages, commands, coverage,
      files: files.map(({ path, change, added, removed, by }) => `${change} ${path} +${added} -${removed} ${by}`),
    })),
  ).toEqual([
    { number: 1, prompt: 'first', state: 'active', steps: 2, messages: 3, commands: ['true'],
      coverage: 'recorded-edits', files: ['created b.txt +3 -0 agent'] },
    { number: 2, prompt: 'second', state: 'active', steps: 2, messages: 4, commands: [],
      coverage: 'recorded-edits', files: ['modified a.txt +1 -1 agent'] },
  ]) // prettier-ignore

  const show = parseView<ShowView>((await s.retake('show', '2', '--json')).stdout)
  expect(show.moments.map((moment) => moment.kind)).toEqual(['step', 'step', 'said'])
  expect(show.diffs[0]!.hunks![0]!.lines.map(({ change, text }) => `${change} ${text}`)).toEqual([
    'same one',
    'removed two',
    'added TWO',
  ])

  const tree = parseView<TreeView>((await s.retake('tree', '--json')).stdout)
  expect(tree.branches).toMatchObject([{ id: sessionId, fork: null, current: true }])
  const status = parseView<StatusView>((await s.retake('status', '--json')).stdout)
  expect(status).toMatchObject({ session: sessionId, head: { number: 2 }, turns: 2, undone: 0 })
})

test('[W20] a session is found from a subdirectory or by part of its id, and never by a path', async () => {
  await using s = await scene()
  const sessionId = await helloSession(s)
  await mkdir(join(s.project, 'deep/er'), { recursive: true })

  const below = await s.retake('status', '--json', { cwd: join(s.project, 'deep/er') })
  expect(parseView<StatusView>(below.stdout).session).toBe(sessionId)
  const short = await s.retake('status', '--json', '--session', sessionId.slice(0, 6))
  expect(parseView<StatusView>(short.stdout).session).toBe(sessionId)

  for (const name of [
    '../../etc/passwd',
    `${sessionId}/../x`,
    '',
    'nope',
    '%2e%2e',
    `${sessionId}\0`.replace('\0', '_'),
  ]) {
    const { code, stdout } = await s.retake('status', '--json', '--session', name)
    expect(code).toBe(6)
    expect(parseView(stdout)).toMatchObject({ code: 'session-not-found' })
  }
})

test('[W20] a session that began in a subdirectory is found from everywhere in its repository', async () => {
  await using s = await scene({ files: { 'sub/a.txt': 'a\n', 'other/b.txt': 'b\n' }, git: true })
  const sessionId = await helloSession(s)
  const slug = s.project.replaceAll(/[^a-zA-Z0-9]/g, '-')
  const [from, to] = [slug, `${slug}-sub`].map((name) => join(s.claudeDir, 'projects', name)) as [string, string] // prettier-ignore
  await rename(from, to)
  const file = join(to, `${sessionId}.jsonl`)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(`"${s.project}"`, `"${s.project}/sub"`))
  for (const cwd of ['.', 'sub', 'other']) {
    const { stdout } = await s.retake('status', '--json', { cwd: join(s.project, cwd) })
    expect(parseView<StatusView>(stdout)).toMatchObject({ session: sessionId })
  }
  const above = await s.retake('status', '--json', { cwd: s.root })
  expect(parseView(above.stdout)).toMatchObject({ code: 'no-session' })
})

test('[W20] the default session is the one open in a live agent, else the newest with turns; with two open, the message lists them', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('first', [write('x', '1\n'), 'ok'])
  const { sessionId: first } = await agent.prompt('first', { recorded: true })
  const { sessionId: second } = await agent.prompt('second', { recorded: true })
  // `/clear` leaves a session without a turn.
  const cleared = '00000000-0000-4000-8000-000000000001'
  const { path } = await agent.transcript(second)
  const at = new Date(Date.now() + 60_000).toISOString()
  const row = { type: 'system', subtype: 'local_command', uuid: cleared, parentUuid: null, cwd: s.project, timestamp: at, sessionId: cleared } // prettier-ignore
  await writeFile(join(dirname(path), `${cleared}.jsonl`), `${JSON.stringify(row)}\n`)
  const meant = async (): Promise<{ session: string; stderr: string }> => {
    const { stdout, stderr } = await s.retake('status', '--json')
    return { session: parseView<StatusView>(stdout).session, stderr }
  }
  expect(await meant()).toEqual({ session: second, stderr: '' })

  const open = (pid: number, sessionId: string): Promise<void> =>
    s.write(join(s.claudeDir, 'sessions', `${pid}.json`), JSON.stringify({ sessionId, status: 'idle' })) // prettier-ignore
  await open(process.pid, cleared)
  expect(await meant()).toEqual({ session: second, stderr: '' })
  await open(process.pid, first)
  expect(await meant()).toEqual({ session: first, stderr: '' })
  await open(process.ppid, second)
  expect(await meant()).toEqual({
    session: second,
    stderr: `2 sessions are open here. This is “second” (${second.slice(0, 8)}); \`--session ID\` chooses another: ${first.slice(0, 8)}.\n`,
  })
  const plan = await s.retake('undo', '--dry-run', '--session', first)
  expect(plan.stdout).toContain(`  session: “first” (${first.slice(0, 8)})`)
  expect(await s.retake('status', '--session', first.slice(0, 2))).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('Give at least four characters of the session id.'),
  })
})

test('without sessions the command says so, and writes only its cache', async () => {
  await using s = await scene()
  const { code, stdout, stderr } = await s.retake('sessions', '--all')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('There are no sessions on this machine.')
  expect(await s.files()).toEqual({})
})

test('a wrong argument is a usage error; unknown turns and sessions are not found', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  await claudeCode(s, model).prompt('hello')
  const said = async (...args: string[]) => {
    const { code, stderr } = await s.retake(...args)
    return `${code} ${stderr.trim()}`
  }
  const hint = '\nHint: Run `retake --help` for the list of commands.'
  expect(await said('lgo')).toBe(`2 Unknown command 'lgo'.\n(Did you mean log?)${hint}`)
  expect(await said('log', '--frob')).toBe(`2 Unknown option '--frob'.${hint}`)
  expect(await said('show')).toBe(`2 Missing required argument 'turn'.${hint}`)
  expect(await said('show', '7')).toBe(
    '6 There is no turn 7 in this session.\nHint: Turns are numbered 1 to 1.',
  )
  expect(await said('log', '--project', '/nowhere')).toBe(
    '6 No session was found for /nowhere.\nHint: Run `retake sessions --all` to list the sessions of other projects.',
  )
  // The state of the hooks is shown even without a session.
  expect(await said('status', '--project', '/nowhere')).toContain(
    '6 No session was found for /nowhere. The hooks are not installed.\nHint: ',
  )
  await s.retake('install')
  const { stderr, stdout } = await s.retake('status', '--project', '/nowhere', '--json')
  expect(JSON.parse(stderr || stdout)).toMatchObject({
    schema: 'retake.error/1',
    code: 'no-session',
    message: 'No session was found for /nowhere. The hooks are in your settings.',
    details: { hooks: 'user' },
  })
})

test('[S8] escapes in a transcript never reach the terminal', async () => {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  const hostile = 'a\u001b]52;c;aGk=\u0007b\u009b2Jc\u202ed\u200be\rf'
  model.on(/^a/, [[write('x\u001b[31m.txt', 'y')], `done \u001b[2J ${hostile}`])
  const { sessionId } = await agent.prompt(hostile, { recorded: true })
  for (const verb of [['sessions'], ['log'], ['show', '1'], ['tree'], ['status']])
    for (const json of [[], ['--json']]) {
      const { code, stdout } = await s.retake(...verb, '--session', sessionId, ...json)
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/[\u001b\u0007\u009b\u202e\u200b\r]/)
      expect(stdout).toContain(json.length > 0 ? String.raw`\u001b` : '␛')
    }
  // Nor do characters that a user was tricked into pasting.
  for (const args of [['no\u001b]0;owned\u0007'], ['log', '--no\u001b[2J']]) {
    const { code, stderr } = await s.retake(...args)
    expect(code).toBe(2)
    expect(stderr).not.toContain('\u001b')
  }
})
