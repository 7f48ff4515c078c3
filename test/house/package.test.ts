import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { serving } from '../server/serving.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

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
  for (const name of ['src', 'scripts', 'docs', 'package.json', 'node_modules'])
    await symlink(join(repository, name), join(source, name))
  const built = await s.run(process.execPath, ['scripts/build.ts'], { cwd: source })
  expect(built).toMatchObject({ code: 0 })

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
