import { expect, test } from 'vitest'
import { asPlatform } from '../../test/house/as-platform.ts'
import { readEnvironment } from './environment.ts'

function gitConfigs(env: NodeJS.ProcessEnv): readonly string[] {
  return readEnvironment({ HOME: '/home/me', ...env }, {}).places.git.configs
}

const OWN = ['/home/me/.config/git/config', '/home/me/.gitconfig']

test('[sem.K3] every git of the machine is asked whether it converts files', async () => {
  expect(gitConfigs({})).toEqual(['/etc/gitconfig', ...OWN])
  expect(gitConfigs({ WSL_DISTRO_NAME: 'Debian' })).toEqual([
    '/etc/gitconfig',
    '/mnt/c/Program Files/Git/etc/gitconfig',
    ...OWN,
  ])
  expect(gitConfigs({ HOMEBREW_PREFIX: '/opt/brew', GIT_CONFIG_GLOBAL: '/g' })).toEqual([
    '/etc/gitconfig',
    '/opt/brew/etc/gitconfig',
    ...OWN,
    '/g',
  ])
  expect(await asPlatform('darwin', () => gitConfigs({}))).toEqual([
    '/etc/gitconfig',
    '/opt/homebrew/etc/gitconfig',
    '/usr/local/etc/gitconfig',
    '/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig',
    '/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig',
    ...OWN,
  ])
})
