import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { DoctorView } from '#protocol'
import { program } from '../../src/cli/program.ts'
import { examples } from '../../src/cli/text/examples.ts'
import { Terminal } from '../agent/terminal.ts'
import { write } from '../model/index.ts'
import { needs } from '../needs.ts'
import { playedOnce } from '../operations/played.ts'
import { cli, scene } from '../scene.ts'
import { parseView } from './schemas.ts'

const session = playedOnce({
  turns: { 'first one': 'hi', 'second: make b': [[write('b.txt', '1\n')], 'made b'] },
})

test('the help of every command starts with examples', () => {
  const names = (command: ReturnType<typeof program>, outer: string): string[] =>
    command
      .createHelp()
      .visibleCommands(command)
      .flatMap((each) =>
        each.name() === 'help'
          ? []
          : [outer + each.name(), ...names(each, `${outer}${each.name()} `)],
      )
  const verbs = names(program(), '')
  expect(verbs.filter((name) => !(name in examples))).toEqual([])
  expect(Object.keys(examples).filter((name) => !verbs.includes(name))).toEqual([])
  // A start loads only the group of its command, so the command must be in that group.
  for (const verb of program().commands.map((each) => each.name()))
    expect(program(verb).commands.map((each) => each.name())).toContain(verb)
})

test('completion in bash offers commands, options, turns and branches', async () => {
  const p = await session()
  await p.run('checkpoint', 'works')
  await p.run('branch', 'rename', 'main', 'try this')
  const bin = join(p.s.tmp, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'retake'), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`)
  await chmod(join(bin, 'retake'), 0o755)
  const env = { PATH: `${bin}:${p.s.env['PATH']}` }
  const offers = async (...words: string[]): Promise<string[]> => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const script = `eval "$(retake completion bash)"; COMP_WORDS=(retake ${line}); COMP_CWORD=${words.length}; _retake; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { code, stdout, stderr } = await p.s.run('bash', ['-c', script], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.trim().split('\n')
  }
  expect(await offers('un')).toEqual(['undo', 'uninstall'])
  expect(await offers('undo', '--on-conflict', '')).toEqual([
    'stop',
    'keep-mine',
    'put-back',
    'mark',
  ])
  expect(await offers('show', '')).toEqual(['1', 'works', '2'])
  expect(await offers('switch', 't')).toEqual([String.raw`try\ this`])
  expect(await offers('op', 's')).toEqual(['show'])
  expect(await offers('undo', '--session', '')).toEqual([p.id])
  expect(await offers('where', 'b')).toEqual([''])
  for (const shell of ['zsh', 'fish'])
    expect((await p.s.retake('completion', shell)).stdout).toContain('retake complete --files -- ')
  const view = parseView<{ script: string }>(
    (await p.s.retake('completion', 'zsh', '--json')).stdout,
  )
  expect(view).toMatchObject({ shell: 'zsh', script: expect.stringContaining('#compdef retake') })
  expect(await p.s.retake('completion', 'tcsh')).toMatchObject({ code: 2 })
})

test('status --line shows the session that Claude Code names, and prints nothing without one', async () => {
  const p = await session()
  await p.run('undo')
  const input = JSON.stringify({ session_id: p.id, cwd: '/' })
  const line = await p.s.retake('status', '--line', { input, cwd: p.s.root })
  expect(line).toMatchObject({ code: 0, stderr: '' })
  expect(line.stdout).toBe(
    '⑂ main · turn 1 of 2 · 1 undone · no hooks\n'.replaceAll('·', '-').replace('⑂', 'Y'),
  )
  expect(await p.s.retake('status', '--line', { input: '{', cwd: p.s.root })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  })
})

test('output longer than the screen goes to the pager, only in a terminal', async () => {
  const p = await session()
  const open = (rows: number, env: Record<string, string>) =>
    new Terminal(p.s, {
      command: [process.execPath, cli, 'log'],
      cwd: p.s.project,
      env: { ...p.s.env, ...env },
      rows,
      columns: 80,
    })
  const paged = open(5, { PAGER: 'sed "s/^/paged: /"' })
  await paged.waitFor(/paged: .*second: make b/)
  expect(await paged.ended()).toBe(0)
  for (const [rows, env] of [
    [50, { PAGER: 'sed "s/^/paged: /"' }],
    [5, { PAGER: '' }],
    [5, { PAGER: 'there-is-no-such-pager' }],
  ] as const) {
    const plain = open(rows, env)
    expect(await plain.ended()).toBe(0)
    expect(plain.screen()).toContain('second: make b')
    expect(plain.screen()).not.toContain('paged:')
  }
  const { stdout } = await p.s.retake('log', { env: { PAGER: 'false' } })
  expect(stdout).toContain('first one')
})

test('[U2] the pager starts at the session’s current turn, with earlier turns above', async () => {
  const p = await session()
  await writeFile(join(p.s.tmp, 'pager'), '#!/bin/sh\necho "less $LESS" > "$TMPDIR/asked"\n')
  await chmod(join(p.s.tmp, 'pager'), 0o755)
  const env = { ...p.s.env, PAGER: join(p.s.tmp, 'pager'), TMPDIR: p.s.tmp }
  const command = [process.execPath, cli, 'log']
  const paged = new Terminal(p.s, { command, cwd: p.s.project, env, rows: 4, columns: 80 })
  expect(await paged.ended()).toBe(0)
  // The head is on line 5; two lines of the screen stay above it.
  expect(await p.s.read(join(p.s.tmp, 'asked'))).toBe('less FRX +3g\n')
})

test('[U1][sem.M7] in a terminal each conflict is asked about, and `confirm off` asks nothing else', async () => {
  const p = await session()
  const undo = () =>
    new Terminal(p.s, {
      command: [process.execPath, cli, 'undo'],
      cwd: p.s.project,
      env: p.s.env,
      rows: 24,
      columns: 80,
    })
  await p.s.write('b.txt', 'mine\n')
  const asked = undo()
  await asked.waitFor(
    /b\.txt: \[k\]eep mine, \[p\] delete it \(yours is saved\), \[d\]iff or \[q\]uit\?$/,
  )
  asked.press('d\r')
  await asked.waitFor(/^-mine$/m)
  asked.press('q\r')
  expect(await asked.ended()).toBe(130)
  expect(await p.s.read('b.txt')).toBe('mine\n')
  await p.s.retake('settings', 'set', 'confirm', 'off')
  const chosen = undo()
  await chosen.waitFor(/\[q\]uit\?$/)
  chosen.press('p\r')
  expect(await chosen.ended()).toBe(0)
  expect(chosen.screen()).not.toContain('[y/N]')
  expect(await p.files()).not.toHaveProperty('b.txt')
})

test('doctor reports a healthy machine; each problem has a fix and exit code 1, and the fix works', async () => {
  const p = await session()
  const data = join(p.s.env['XDG_DATA_HOME']!, 'retake')
  const state = join(p.s.env['XDG_STATE_HOME']!, 'retake')
  const settings = join(p.s.env['XDG_CONFIG_HOME']!, 'retake/settings.json')
  const agents = dirname(p.agent.binary)
  const look = async (programs = agents) => {
    const { code, stdout } = await p.s.retake('doctor', '--json', {
      env: { PATH: `${programs}:/usr/bin:/bin` },
    })
    const { healthy, findings, values } = parseView<DoctorView>(stdout)
    expect(code).toBe(healthy ? 0 : 1)
    return {
      found: Object.fromEntries(findings.map(({ about, state: is, cure }) => [about, [is, cure]])),
      values: Object.fromEntries(values.map(({ name, ...value }) => [name, value])),
    }
  }
  const well = {
    node: ['fine', null],
    hooks: ['fine', null],
    store: ['fine', null],
    settings: ['fine', null],
    disk: ['fine', null],
    permissions: ['fine', null],
    transcripts: ['fine', null],
    server: ['fine', null],
  }
  await p.run('undo')
  const first = await look()
  expect(first.found).toMatchObject({
    ...well,
    hooks: ['note', 'Run `retake install`.'],
  })
  // The source of each value: a variable, the settings, or the default.
  expect(first.values).toMatchObject({
    retention: { value: 90, from: 'default', where: null },
    data: { value: data, from: 'environment', where: 'XDG_DATA_HOME' },
    claudeConfig: { value: p.s.claudeDir, from: 'default', where: null },
  })

  // An agent that is missing, silent, or untested.
  const bin = join(p.s.tmp, 'agents')
  await p.s.write(join(bin, 'claude'), '#!/bin/sh\nexit 3\n')
  await chmod(join(bin, 'claude'), 0o755)
  expect((await look(p.s.tmp)).found).toMatchObject({ agent: ['note', 'Install Claude Code.'] })
  expect((await look(bin)).found).toMatchObject({
    agent: ['wrong', expect.stringContaining('`claude --version`')],
  })
  await p.s.write(join(bin, 'claude'), '#!/bin/sh\necho 99.0.0\n')
  expect((await look(bin)).found).toMatchObject({
    agent: ['note', expect.stringContaining('tests it before it relies on it')],
  })

  // Settings, hooks, permissions, a transcript, a server: all broken at once.
  await p.s.write(settings, '{ "quota": "much", "retention": 30 }')
  await p.s.retake('install')
  const hooks = join(p.s.claudeDir, 'settings.json')
  const withHooks = await p.s.read(hooks)
  await p.s.write(
    hooks,
    JSON.stringify({ ...(JSON.parse(withHooks) as object), disableAllHooks: true }),
  )
  await chmod(data, 0o755)
  await chmod(state, 0o777)
  const { path } = await p.agent.transcript(p.id)
  await rename(path, `${path}.away`)
  const record = join(p.s.env['XDG_RUNTIME_DIR']!, 'retake/server.json')
  await mkdir(dirname(record), { recursive: true, mode: 0o700 })
  await writeFile(
    record,
    '{"schema":"retake.server/1","url":"http://127.0.0.1:1","port":1,"token":"x","pid":1}',
    { mode: 0o600 },
  )
  const ill = await look()
  expect(ill.found).toMatchObject({
    hooks: ['wrong', 'Remove that line.'],
    settings: ['wrong', expect.stringContaining('settings set')],
    permissions: ['wrong', `\`chmod 700 ${state}\``],
    transcripts: ['wrong', `Run \`retake rescue ${p.id}\` to get it back as a new session.`],
    server: ['note', expect.stringContaining('Run `retake` to start it again')],
  })
  expect(ill.values).toMatchObject({
    retention: { value: 30, from: 'user', where: settings },
    quota: { from: 'default', where: null },
  })

  // Apply each fix as doctor says it.
  await p.s.write(hooks, withHooks)
  await p.s.retake('settings', 'set', 'quota', '1GB')
  await p.s.run('chmod', ['700', data])
  await p.s.run('chmod', ['700', state])
  expect(await p.s.retake('rescue', p.id)).toMatchObject({ code: 0 })
  await rename(`${path}.away`, path)
  await rm(record)
  expect((await look()).found).toMatchObject(well)

  // A damaged store is reported, and everything else still works.
  const store = (await readdir(data, { recursive: true })).find((name) =>
    name.endsWith('/store.db'),
  )
  await p.s.write(join(data, store!), 'this is no database')
  expect((await look()).found).toMatchObject({ store: ['wrong', expect.any(String)] })
})

test('doctor on an unused machine says so, and creates nothing', async () => {
  await using s = await scene()
  const { code, stdout } = await s.retake('doctor', { env: { PATH: '/usr/bin:/bin' } })
  expect(code).toBe(0)
  expect(stdout).toContain('No problems found.')
  expect(stdout).toContain('Nothing is stored for this project yet.')
  expect(await s.files()).toEqual({})
})

needs('linux')(
  '[FT23] on a Mac without fsevents, doctor says that Node watches instead',
  async () => {
    await using s = await scene()
    const code = encodeURIComponent("Object.defineProperty(process,'platform',{value:'darwin'})")
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${code}` }
    const { findings } = parseView<DoctorView>((await s.retake('doctor', '--json', { env })).stdout)
    const said = findings.filter(({ state, says }) => state === 'note' && says.includes('fsevents'))
    expect(said).toMatchObject([{ about: 'files', cure: expect.stringContaining('optional') }])
  },
)

test('doctor says why it does not run a `claude` inside the project', async () => {
  await using s = await scene()
  const directory = join(s.project, 'node_modules/.bin')
  await s.write(join(directory, 'claude'), '#!/bin/sh\ntouch ran\n')
  await chmod(join(directory, 'claude'), 0o755)
  const PATH = `${directory}:/usr/bin:/bin`
  const { stdout } = await s.retake('doctor', { env: { PATH } })
  const where = join(directory, 'claude')
  expect(stdout).toContain(
    `the \`claude\` on your PATH (${where}) is inside this project, so Retake does not run it.`,
  )
  expect(Object.keys(await s.files())).toEqual(['node_modules/.bin/claude'])
})
