import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { asPlatform } from '../../test/house/as-platform.ts'
import { readEnvironment } from './environment.ts'

function gitConfigs(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = 'linux',
): Promise<readonly string[]> {
  const read = () => readEnvironment({ HOME: '/home/me', ...env }, {}).places.git.configs
  return asPlatform(platform, read)
}

const OWN = ['/home/me/.config/git/config', '/home/me/.gitconfig']

test('[sem.K3] every git of the machine is asked whether it converts files', async () => {
  expect(await gitConfigs({})).toEqual(['/etc/gitconfig', ...OWN])
  expect(await gitConfigs({ WSL_DISTRO_NAME: 'Debian' })).toEqual([
    '/etc/gitconfig',
    '/mnt/c/Program Files/Git/etc/gitconfig',
    ...OWN,
  ])
  expect(await gitConfigs({ HOMEBREW_PREFIX: '/opt/brew', GIT_CONFIG_GLOBAL: '/g' })).toEqual([
    '/etc/gitconfig',
    '/opt/brew/etc/gitconfig',
    ...OWN,
    '/g',
  ])
  expect(await gitConfigs({}, 'darwin')).toEqual([
    '/etc/gitconfig',
    '/opt/homebrew/etc/gitconfig',
    '/usr/local/etc/gitconfig',
    '/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig',
    '/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig',
    ...OWN,
  ])
})

test('where Node knows only its name, as on Linux without /proc, commands are started by its path', () => {
  const real = process.execPath
  const PATH = `/nowhere:${dirname(real)}:/usr/bin`
  const self = (): string | undefined =>
    readEnvironment({ HOME: '/home/me', PATH }, {}).places.self[0]
  try {
    process.execPath = basename(real)
    expect(self()).toBe(real)
  } finally {
    process.execPath = real
  }
  expect(self()).toBe(real)
})
