import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { reportAttack } from './report-attack.ts'

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
}

test('[S17] the lockfile has a hash for every package, and the published package needs no other package and no install script', async () => {
  const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> }
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))
  const fetched = installed.filter(([, { link }]) => link !== true)
  for (const [path, { resolved, integrity }] of fetched) {
    // The hash makes the mirror irrelevant.
    expect(integrity, path).toMatch(/^sha512-/)
    expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(
      /^https:\/\/registry\.npmjs\.org\//,
    )
  }
  // Retake's package contains what it needs, so that installing it installs nothing else: only on
  // macOS a package that it can do without.
  const shipped = fetched.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
  expect(shipped).toEqual([
    ['node_modules/fsevents', expect.objectContaining({ optional: true, os: ['darwin'] })],
  ])
  for (const [path, { hasInstallScript }] of shipped) expect(hasInstallScript, path).toBeUndefined()
  expect(Object.keys(manifest)).not.toContain('dependencies')
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish', 'preprepare']
  for (const hook of hooks) expect(Object.keys(manifest.scripts)).not.toContain(hook)
  const tried = fetched.length + hooks.length
  const attack = `packages of the lockfile without a hash or from another registry; dependencies and install scripts of the published package`
  reportAttack({ goals: 'S17', attack, tried, held: tried })
})
