import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { readBundledPackages } from '../../scripts/bundled-packages.ts'

const SOURCES = ['src', 'scripts', 'docs', 'LICENSE', 'package.json', 'package-lock.json']
const repository = fileURLToPath(new URL('../../', import.meta.url))

interface Sbom {
  readonly components: readonly { readonly name: string; readonly hashes?: readonly object[] }[]
}

test('a bundled package without a license text stops the build', async () => {
  await using s = await scene()
  const root = join(s.root, 'source')
  const manifest = { name: 'a', version: '1.0.0', license: 'MIT' }
  await s.write(join(root, 'node_modules/a/package.json'), JSON.stringify(manifest))
  const read = () => readBundledPackages(root, [`${root}/node_modules/a/b/c.js`, 'src/x.ts'])
  expect(read).toThrow('a 1.0.0 is bundled, but has no license text (MIT).')
  await s.write(join(root, 'node_modules/a/LICENCE.md'), 'Use it.\n')
  expect(read()).toEqual([{ ...manifest, text: 'Use it.', directory: 'node_modules/a' }])
})

test('an older Node gets a clear message and exit code 1', async () => {
  await using s = await scene()
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
  const { code, stderr } = await s.run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    join(repository, 'bin/retake.js'),
  ])
  expect(code).toBe(1)
  expect(stderr).toContain('Retake needs Node 22.18 or newer; this is Node 20.20.2.')
})

test('the built package runs without its sources', async () => {
  await using s = await scene()
  // Built elsewhere, because others would use a build in the repository.
  const source = join(s.root, 'source')
  await mkdir(source)
  for (const name of [...SOURCES, 'node_modules'])
    await symlink(join(repository, name), join(source, name))
  const built = await s.run(process.execPath, ['scripts/build.ts'], { cwd: source })
  expect(built).toMatchObject({ code: 0 })

  // `node_modules` is a link here. The bundle must not say where it leads.
  const bundle = await readFile(join(source, 'dist/command.cjs'), 'utf8')
  expect(bundle).toContain('// node_modules/commander/')
  expect(bundle).not.toContain(`${repository}node_modules`)

  const licenses = await readFile(join(source, 'dist/LICENSES.txt'), 'utf8')
  for (const name of ['hono', 'ink', 'tailwindcss', 'yoga-layout', 'zod'])
    expect(licenses).toMatch(new RegExp(`^${name} \\d[^ ]* \\(MIT\\)$`, 'm'))
  const sbom = JSON.parse(await readFile(join(source, 'dist/sbom.cdx.json'), 'utf8')) as Sbom
  expect(sbom.components.length).toBeGreaterThan(40)
  for (const { name, hashes } of sbom.components) expect(hashes, name).toHaveLength(1)
  expect(sbom.components).toContainEqual(
    expect.objectContaining({ name: 'fsevents', version: '2.3.3', scope: 'optional' }),
  )

  const installed = join(s.root, 'installed')
  await mkdir(join(installed, 'bin'), { recursive: true })
  await copyFile(join(repository, 'bin/retake.js'), join(installed, 'bin/retake.js'))
  await cp(join(source, 'dist'), join(installed, 'dist'), { recursive: true })
  await writeFile(join(installed, 'package.json'), '{ "type": "module" }')
  const { code, stdout } = await s.run(process.execPath, [
    join(installed, 'bin/retake.js'),
    '--version',
  ])
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    version: string
  }
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })

  await using server = await serving(s, { cli: join(installed, 'bin/retake.js') })
  expect(await server.get('/healthz')).toMatchObject({ status: 200, body: { version } })
  expect(await server.end()).toBe(0)
})
