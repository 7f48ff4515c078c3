import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { DoctorView } from '#protocol'
import { program } from '../../src/cli/program.ts'
import { examples } from '../../src/cli/text/examples.ts'
import { Terminal } from '../agent/terminal.ts'
import { write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { cli, scene } from '../scene.ts'
import { parseView } from './schemas.ts'

const session = playedOnce({
  turns: { 'first one': 'hi', 'second: make b': [[write('b.txt', '1\n')], 'made b'] },
})

test('every verb shows examples first', () => {
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
})

test('completion: bash offers verbs, options, turns and branches as they are', async () => {
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
    expect((await p.s.retake('completion', shell)).stdout).toContain('retake complete -- ')
  expect(await p.s.retake('completion', 'tcsh')).toMatchObject({ code: 2 })
})

test('status --line: of the session that Claude Code names, and silent where there is none', async () => {
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

test('what is longer than the screen goes to the pager, on a terminal and nowhere else', async () => {
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

test('doctor: all is well, and each problem with its cure and exit code 1', async () => {
  const p = await session()
  const look = async () => {
    const { code, stdout } = await p.s.retake('doctor', '--json', {
      env: { PATH: `${dirname(p.agent.binary)}:${p.s.env['PATH']}` },
    })
    const { healthy, findings } = parseView<DoctorView>(stdout)
    expect(code).toBe(healthy ? 0 : 1)
    return Object.fromEntries(findings.map(({ about, state, cure }) => [about, [state, cure]]))
  }
  await p.run('undo')
  expect(await look()).toMatchObject({
    node: ['fine', null],
    hooks: ['note', '`retake install` puts them in.'],
    store: ['fine', null],
    settings: ['fine', null],
    disk: ['fine', null],
    permissions: ['fine', null],
    transcripts: ['fine', null],
    server: ['fine', null],
  })
  const data = join(p.s.env['XDG_DATA_HOME']!, 'retake')
  await mkdir(join(p.s.env['XDG_CONFIG_HOME']!, 'retake'), { recursive: true })
  await p.s.write(join(p.s.env['XDG_CONFIG_HOME']!, 'retake/settings.json'), '{ "quota": "much" }')
  await p.s.retake('install')
  await p.s.write(
    join(p.s.claudeDir, 'settings.json'),
    JSON.stringify({
      ...JSON.parse(await p.s.read(join(p.s.claudeDir, 'settings.json'))),
      disableAllHooks: true,
    }),
  )
  await chmod(data, 0o755)
  expect(await look()).toMatchObject({
    hooks: ['wrong', 'Take that line out of it.'],
    settings: ['wrong', expect.stringContaining('settings set')],
    permissions: ['wrong', `\`chmod 700 ${data}\``],
  })
})

test('doctor on a machine where nothing was ever done says so, and makes nothing', async () => {
  await using s = await scene()
  const { code, stdout } = await s.retake('doctor', { env: { PATH: '/usr/bin:/bin' } })
  expect(code).toBe(0)
  expect(stdout).toContain('Nothing is wrong.')
  expect(stdout).toContain('Nothing is kept of this project yet.')
  expect(await s.files()).toEqual({})
})
