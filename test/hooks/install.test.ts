import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { HookScope, HooksPlan } from '#agents'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk, faultyDisk, type Fault } from '#disk'
import { Terminal } from '../agent/terminal.ts'
import { parseView } from '../cli/schemas.ts'
import { cli, scene, type Scene } from '../scene.ts'

interface InstallView {
  readonly change: string
  readonly settings: string
  readonly linkedTo: string | null
  readonly created: boolean
  readonly plugin: boolean
  readonly disabled: boolean
  readonly spool: string
}

interface UninstallView {
  readonly changes: { scope: string; change: string }[]
  readonly plugin: boolean
  readonly stays: { what: string; path: string }[]
}

interface Finding {
  readonly about: string
  readonly state: string
  readonly says: string
  readonly cure: string | null
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

const settingsOf = (s: Scene): string => join(s.claudeDir, 'settings.json')

async function install(s: Scene, ...args: string[]): Promise<InstallView> {
  const { code, stdout } = await s.retake('install', '--json', ...args)
  expect(code, stdout).toBe(0)
  return parseView<InstallView>(stdout)
}

async function uninstall(s: Scene, ...args: string[]): Promise<UninstallView> {
  const { code, stdout } = await s.retake('uninstall', '--json', '--yes', ...args)
  expect(code, stdout).toBe(0)
  return parseView<UninstallView>(stdout)
}

const { planInstall, planUninstall } = adapter
type Planner = typeof planInstall

/** The same without starting the command line, which takes most of a test's time. */
function apply(s: Scene, verb: Planner, scope: HookScope = 'user'): HooksPlan {
  const plan = verb(durableDisk, { config: s.claudeDir, project: s.project }, scope)
  plan.apply()
  return plan
}

const OWN = '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": []},\r\n\t"x": 1.50\r\n}\r\n'

test('[E1][E2] install, install again and uninstall leave the settings as they were, byte for byte', async () => {
  await using s = await scene()
  await writeFile(settingsOf(s), OWN, { mode: 0o640 })

  const dry = await install(s, '--dry-run')
  expect(dry).toMatchObject({ change: 'added', created: false, linkedTo: null, plugin: false })
  expect(await s.read(settingsOf(s))).toBe(OWN)
  expect(await readdir(s.env['XDG_STATE_HOME']!)).toEqual([])

  expect(await install(s)).toMatchObject({ change: 'added', settings: settingsOf(s) })
  const installed = await s.read(settingsOf(s))
  expect((await stat(settingsOf(s))).mode & 0o777).toBe(0o640)
  expect(JSON.parse(installed)).toMatchObject({ model: 'opus', x: 1.5, hooks: { Stop: [] } })
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('user')
  expect((await stat(dry.spool)).mode & 0o777).toBe(0o700)

  expect(await install(s)).toMatchObject({ change: 'unchanged' })
  expect(await s.read(settingsOf(s))).toBe(installed)

  expect(await uninstall(s)).toMatchObject({
    changes: [
      { scope: 'user', change: 'removed' },
      { scope: 'project', change: 'unchanged' },
    ],
  })
  expect(await s.read(settingsOf(s))).toBe(OWN)
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('none')
  expect((await readdir(s.claudeDir)).filter((name) => name.startsWith('settings'))).toEqual([
    'settings.json',
  ])
  await expect(stat(dry.spool)).rejects.toThrow('ENOENT')
})

test('[E1] created files and directories are removed again', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n' } })
  await rm(s.claudeDir, { recursive: true })
  expect(await install(s)).toMatchObject({ created: true })
  expect(await install(s, '--scope', 'project')).toMatchObject({
    created: true,
    settings: join(s.project, '.claude/settings.json'),
  })
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('both')
  await uninstall(s, '--scope', 'user')
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('project')
  await uninstall(s)
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('none')
  expect(Object.keys(await s.files())).toEqual(['a.txt'])
  await expect(stat(s.claudeDir)).rejects.toThrow('ENOENT')
})

test('[E1] hooks of an older Retake are replaced, and still removed without a trace', async () => {
  await using s = await scene()
  apply(s, planInstall)
  const now = await s.read(settingsOf(s))
  await writeFile(settingsOf(s), now.replaceAll('umask 077', 'umask 027'))
  expect(apply(s, planInstall).change).toBe('update')
  expect(await s.read(settingsOf(s))).toBe(now)
  apply(s, planUninstall)
  await expect(stat(settingsOf(s))).rejects.toThrow('ENOENT')
})

test('[E1] the hooks of 0.1.0 are updated by install, and doctor says that they are old', async () => {
  await using s = await scene()
  const released = join(repository, 'test/fixtures/released/hooks-0.1.0.json')
  // A later version changes the hooks; until then, a changed word stands for that.
  const old = (await readFile(released, 'utf8')).replaceAll('umask 077', 'umask 027')
  await s.write(settingsOf(s), old)
  const hooksOf = async () => {
    const { stdout } = await s.retake('doctor', '--json')
    return parseView<{ findings: Finding[] }>(stdout).findings.filter(
      ({ about }) => about === 'hooks',
    )
  }
  expect(await hooksOf()).toMatchObject([
    {
      state: 'note',
      says: `The hooks in ${settingsOf(s)} are from another version of Retake.`,
      cure: 'Run `retake install --scope user` to update them.',
    },
  ])
  expect(await s.read(settingsOf(s))).toBe(old)
  expect(await install(s)).toMatchObject({ change: 'updated' })
  expect(await hooksOf()).toMatchObject([{ state: 'fine', says: 'Hooks are installed (user).' }])
  await uninstall(s)
  await expect(stat(settingsOf(s))).rejects.toThrow('ENOENT')
})

test('[E3] a file that Retake created and the user edited stays, with the user’s part', async () => {
  await using s = await scene()
  apply(s, planInstall)
  const text = await s.read(settingsOf(s))
  await writeFile(settingsOf(s), text.replace('{', '{\n  "model": "opus",'))
  expect(apply(s, planUninstall).change).toBe('remove')
  expect(JSON.parse(await s.read(settingsOf(s)))).toEqual({ model: 'opus' })
})

test('[house] uninstall without a terminal needs --yes, and says what stays', async () => {
  await using s = await scene()
  await s.retake('sessions', '--all')
  await install(s)
  const before = await s.read(settingsOf(s))
  const { code, stderr } = await s.retake('uninstall')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'Removing the hooks needs `--yes` when there is no terminal to ask.\n' +
      'Hint: Run `retake uninstall --dry-run` first to see what it would do.\n',
  })
  expect(await s.read(settingsOf(s))).toBe(before)

  const spool = join(s.env['XDG_STATE_HOME']!, 'retake/spool')
  await writeFile(join(spool, 'one.1.event'), '{}')
  await mkdir(join(s.env['XDG_CACHE_HOME']!, 'retake'), { recursive: true })
  const { stdout } = await s.retake('uninstall', '--yes')
  expect(stdout.split('\n')).toEqual([
    `The hooks were removed from ${settingsOf(s)}, and the file created for them.`,
    `Not removed: the cache, in ${join(s.env['XDG_CACHE_HOME']!, 'retake')}`,
    `Not removed: unread events, in ${spool}`,
    '',
  ])
  expect((await s.retake('uninstall')).stdout).toContain('Retake’s hooks were not installed.')
  expect((await s.retake('install', '--scope', 'machine')).code).toBe(2)
})

test('[house] in a terminal uninstall asks, and only yes means yes', async () => {
  await using s = await scene()
  await install(s)
  const before = await s.read(settingsOf(s))
  const ask = async (): Promise<Terminal> => {
    const command = [process.execPath, cli, 'uninstall', '--project', s.project]
    const terminal = new Terminal(s, { command, cwd: repository, env: s.env })
    await terminal.waitFor(/Remove them\? \[y\/N\]/)
    return terminal
  }
  const no = await ask()
  await no.key('enter')
  expect(await no.ended()).toBe(130)
  expect(no.screen()).toContain('Nothing was changed.')
  const stopped = await ask()
  await stopped.key('ctrl-c')
  expect(await stopped.ended()).toBe(130)
  expect(await s.read(settingsOf(s))).toBe(before)

  const yes = await ask()
  await yes.type('y')
  await yes.key('enter')
  expect(await yes.ended()).toBe(0)
  expect(yes.screen()).toContain('The hooks were removed from')
  await expect(stat(settingsOf(s))).rejects.toThrow('ENOENT')
})

test('[E4] settings that cannot be changed safely are refused and left alone', async () => {
  await using s = await scene()
  const places = { config: s.claudeDir, project: s.project }
  const cases: [string, RegExp][] = [
    ['', /not valid JSON/],
    ['[]', /not an object/],
    ['{"hooks": []}', /`hooks` are not an object/],
    ['{"hooks": {"Stop": {}}}', /hooks for Stop are not a list/],
    ['{"a": "\xff"}', /not valid JSON/],
    ['// mine\n{}', /not valid JSON/],
  ]
  for (const [text, words] of cases) {
    await writeFile(settingsOf(s), text, 'latin1')
    expect(() => adapter.planInstall(durableDisk, places, 'user')).toThrow(words)
    expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('none')
  }
  const invalid = await s.retake('install', '--json')
  expect(invalid.code).toBe(1)
  expect(parseView<{ code: string }>(invalid.stdout).code).toBe('settings-invalid')
  expect(await s.read(settingsOf(s))).toBe('// mine\n{}')
  await writeFile(settingsOf(s), '{}')
  await chmod(settingsOf(s), 0o444)
  const { stdout } = await s.retake('install', '--json')
  expect(parseView<{ code: string }>(stdout).code).toBe('settings-read-only')
  expect(await s.read(settingsOf(s))).toBe('{}')
})

test('[E4] a linked settings file is written through, and a project’s link may not lead outside', async () => {
  await using s = await scene()
  const dotfiles = join(s.home, 'dotfiles')
  await mkdir(dotfiles)
  await writeFile(join(dotfiles, 'claude.json'), '{}\n')
  await symlink('../dotfiles/claude.json', settingsOf(s))
  expect(await install(s)).toMatchObject({ linkedTo: join(dotfiles, 'claude.json') })
  expect((await lstat(settingsOf(s))).isSymbolicLink()).toBe(true)
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('user')
  apply(s, planUninstall)
  expect(await s.read(join(dotfiles, 'claude.json'))).toBe('{}\n')
  expect((await lstat(settingsOf(s))).isSymbolicLink()).toBe(true)

  const hostile: (() => Promise<void>)[] = [
    async () => {
      await mkdir(join(s.project, '.claude'))
      await symlink(join(dotfiles, 'claude.json'), join(s.project, '.claude/settings.json'))
    },
    () => symlink(dotfiles, join(s.project, '.claude')),
    () => symlink('loop', join(s.project, '.claude')),
  ]
  await symlink('loop', join(s.project, 'loop'))
  for (const set of hostile) {
    await rm(join(s.project, '.claude'), { recursive: true, force: true })
    await set()
    expect(() => apply(s, planInstall, 'project')).toThrow(/leads out of|leads nowhere/)
    expect(await readdir(dotfiles)).toEqual(['claude.json'])
    expect(await s.read(join(dotfiles, 'claude.json'))).toBe('{}\n')
  }
})

test('[E2] with the plugin, install adds no second set of hooks; if hooks are disabled, it says so', async () => {
  await using s = await scene()
  const own = '{ "enabledPlugins": { "retake@retake": true } }'
  await writeFile(settingsOf(s), own)
  expect(adapter.hooksInstalled(s.claudeDir, s.project)).toBe('user')
  expect(await install(s)).toMatchObject({ change: 'unchanged', plugin: true })
  expect(await s.read(settingsOf(s))).toBe(own)
  expect(await uninstall(s)).toMatchObject({ plugin: true })

  await writeFile(settingsOf(s), '{ "disableAllHooks": true }')
  expect(await install(s)).toMatchObject({ change: 'added', disabled: true })
})

test('[E5] a crash or an error at any call leaves the old settings or the new, and nothing between', async () => {
  await using s = await scene()
  const places = { config: s.claudeDir, project: s.project }
  await writeFile(settingsOf(s), OWN)
  const whole = faultyDisk(durableDisk, [])
  adapter.planInstall(whole, places, 'user').apply()
  const installed = await s.read(settingsOf(s))
  const faults = whole.calls.flatMap((_, index): Fault[] => [
    { kind: 'die', at: index + 1 },
    { kind: 'tear', at: index + 1 },
    { kind: 'fail', at: index + 1, errno: 'ENOSPC' },
  ])
  for (const fault of faults) {
    await writeFile(settingsOf(s), OWN)
    const disk = faultyDisk(durableDisk, [fault])
    try {
      adapter.planInstall(disk, places, 'user').apply()
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
    expect([OWN, installed]).toContain(await s.read(settingsOf(s)))
  }
  // The next installation removes what a killed process left beside the settings.
  await writeFile(settingsOf(s), OWN)
  adapter.planInstall(durableDisk, places, 'user').apply()
  expect((await readdir(s.claudeDir)).filter((name) => name.startsWith('settings'))).toEqual([
    'settings.json',
  ])
})

test('[E5] settings that change during the installation are not overwritten', async () => {
  await using s = await scene()
  await writeFile(settingsOf(s), OWN)
  const plan = adapter.planInstall(durableDisk, { config: s.claudeDir, project: s.project }, 'user')
  await writeFile(settingsOf(s), '{ "model": "haiku" }')
  expect(() => plan.apply()).toThrow('just changed')
  expect(await s.read(settingsOf(s))).toBe('{ "model": "haiku" }')
})
