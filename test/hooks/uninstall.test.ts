import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { helloSession } from '../agent/recorded.ts'
import { parseView } from '../cli/schemas.ts'
import { readTree } from '../house/tree.ts'
import { scene } from '../scene.ts'
import { serving } from '../server/serving.ts'

interface UninstallView {
  readonly stays: readonly { readonly what: string; readonly path: string }[]
  readonly alias?: { readonly line: string; readonly paths: readonly string[] }
  readonly launcher?: string
}

test('[E1] after every surface was used, uninstall leaves only what it names', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n' } })
  const bashrc = join(s.home, '.bashrc')
  await s.write(bashrc, '# mine\n')
  const session = await helloSession(s)
  const before = { home: await readTree(s.home), run: await readTree(join(s.root, 'run')) }
  const env = { SHELL: '/bin/bash' }
  const retake = async (...args: string[]) => {
    const { code, stdout, stderr } = await s.retake(...args, { env })
    expect(code, stderr).toBe(0)
    return stdout
  }

  await retake('install', '--launcher', '--alias', '--yes')
  await retake('install', '--scope', 'project')
  await retake('settings', 'set', 'retention', '30')
  await retake('checkpoint', 'here', '--session', session)
  {
    await using server = await serving(s)
    await server.get('/api/sessions')
    await server.end()
  }
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  expect(await s.run('sh', [join(state, 'mcp')], { input: '' })).toMatchObject({ code: 0 })
  const event = JSON.stringify({ hook_event_name: 'SessionEnd', session_id: session })
  await s.write(join(state, `spool/${session}.1.event`), event)
  await s.write(join(state, `pending/${session}`), '')

  const removed = parseView<UninstallView>(await retake('uninstall', '--yes', '--json'))
  expect(removed.launcher).toBe(join(s.home, '.local/bin/retake'))
  expect(removed.stays.map(({ what }) => what)).toEqual([
    'data',
    'cache',
    'settings',
    'spool',
    'state',
    'runtime',
  ])
  const { line, paths } = removed.alias!
  expect(paths).toEqual([bashrc])
  // Delete what it names, and the machine is as it was.
  for (const { path } of removed.stays) await rm(path, { recursive: true })
  await s.write(bashrc, (await readFile(bashrc, 'utf8')).replace(`${line}\n`, ''))
  await rm(join(s.home, '.local/bin'), { recursive: true })
  expect({ home: await readTree(s.home), run: await readTree(join(s.root, 'run')) }).toEqual(before)
  expect(await s.files()).toEqual({ 'a.txt': '1\n' })
})
