import type { ExecFileSyncOptions } from 'node:child_process'
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Installation {
  readonly node: string
  readonly tarball: string
  /** An empty directory of the user that `run` runs as. */
  readonly directory: string
  run(program: string, args: readonly string[], options?: ExecFileSyncOptions): string
}

/** Installs the package, uses it, and removes it. Throws if anything is not as the manual says. */
export function useInstalled(installation: Installation): void {
  const { directory, tarball } = installation
  const { npm, shell, home } = enter(installation)
  npm('install', '--global', tarball)
  const modules = join(directory, 'global/lib/node_modules')
  deepEqual(readdirSync(modules), ['retake'])
  ok(!readdirSync(join(modules, 'retake')).includes('node_modules'), 'It installs nothing else.')

  match(shell('retake --version'), /^\d+\.\d+\.\d+\n$/)
  match(shell('retake --version --json'), /"schema": ?"retake.version\/1"/)
  match(npm('exec', '--yes', '--package', tarball, '--', 'retake', '--version'), /^\d+\.\d+\.\d+/m)

  const demo = shell('retake demo --shell', 'retake log\nretake undo\nretake redo\nretake doctor\n')
  match(demo, /Add a login form/)
  match(demo, /Undid 1 turn: 1 file restored\./)
  match(demo, /Redid 1 turn: 1 file changed\./)
  match(shell('retake demo --json', '', 'timeout -s INT 5'), /"url": ?"http:\/\/127\.0\.0\.1:/)

  match(shell('retake install'), /The hooks were added/)
  match(shell('retake sessions --json'), /"sessions": ?\[\]/)
  const said = shell('retake uninstall --yes')
  match(said, /The hooks were removed/)
  npm('uninstall', '--global', 'retake')
  deepEqual(readdirSync(modules), [])
  const stays = [...said.matchAll(/^Not removed: .*? (\/\S+)$/gm)].map(([, path]) => path!)
  const left = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !stays.some((each) => path.startsWith(`${each}/`)))
  deepEqual(left, [], 'Only what `retake uninstall` names stays.')
}

/** On a Node that is too old, every command is one clear sentence and a hint. */
export function checkOldNode(installation: Installation): void {
  const { npm, shell } = enter(installation)
  npm('install', '--global', installation.tarball)
  const said = shell('retake log 2>&1 || echo "exit $?"')
  match(said, /^Retake needs Node 22\.18 or newer; this is Node 20\.\S+\.\nHint: .*\nexit 1\n$/)
}

function enter(installation: Installation) {
  const { node, directory } = installation
  const home = join(directory, 'home')
  const work = join(directory, 'work')
  const programs = `${join(directory, 'global/bin')}:${dirname(node)}`
  // Made by the user, so that they belong to the user.
  installation.run('mkdir', ['-p', home, work, join(directory, 'tmp')])
  const env = {
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    SHELL: '/bin/sh',
    TMPDIR: join(directory, 'tmp'),
    npm_config_prefix: join(directory, 'global'),
    npm_config_cache: join(directory, 'npm-cache'),
    npm_config_update_notifier: 'false',
  }
  const npmProgram = process.env['npm_execpath']!
  equal(typeof npmProgram, 'string', 'Run it with npm.')
  return {
    home,
    npm: (...args: readonly string[]) =>
      installation.run(node, [npmProgram, '--loglevel=error', ...args], { cwd: work, env }),
    shell: (command: string, input = '', before = '') =>
      installation.run('sh', ['-c', before === '' ? command : `${before} ${command} || true`], {
        cwd: work,
        env,
        input,
      }),
  }
}
