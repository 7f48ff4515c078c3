import { access, chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Tree, scene } from '../scene.ts'
import { runPlanted } from './planted.ts'
import { needs } from '../needs.ts'
import { commandOf } from './process-facts.ts'

test('[house] a scene starts with the given tree and reads it back the same', async () => {
  const files: Tree = {
    'a.txt': 'text\n',
    'bin/run.sh': { text: '#!/bin/sh\n', mode: '755' },
    'bytes.bin': new Uint8Array([0xff, 0x00, 0x80]),
    'empty/': { directory: '755' },
    link: { link: 'a.txt' },
    'with-bom.txt': '\uFEFFbom\n',
  }
  await using s = await scene({ files })

  expect(await s.files()).toEqual(files)
  expect(await s.files('bin')).toEqual({ 'run.sh': { text: '#!/bin/sh\n', mode: '755' } })
})

test('[house] a changed mode, a lost empty directory and a replaced link show in the tree', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n', 'd/': { directory: '755' } } })

  await chmod(join(s.project, 'a.txt'), 0o600)
  await s.run('sh', ['-c', 'rmdir d && ln -s a.txt d'])

  expect(await s.files()).toEqual({ 'a.txt': { text: '1\n', mode: '600' }, d: { link: 'a.txt' } })
})

test('[house] a scene with git has one commit that is the same in every run', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n' }, git: true })
  await using twin = await scene({ files: { 'a.txt': '1\n' }, git: true })

  const { stdout } = await s.run('git', ['rev-parse', 'main'])
  expect(stdout).toMatch(/^[0-9a-f]{40}\n$/)
  expect((await twin.run('git', ['rev-parse', 'main'])).stdout).toBe(stdout)
  expect((await s.run('git', ['status', '--porcelain'])).stdout).toBe('')
  expect(await s.files()).toEqual({ 'a.txt': '1\n' })
})

test('[house] the CLI runs in the project with only the environment of the scene', async () => {
  await using s = await scene()
  const spy = `console.log(JSON.stringify({ cwd: process.cwd(), argv: process.argv.slice(2),
    env: process.env, input: (await import('node:fs')).readFileSync(0, 'utf8') })); process.exit(7)`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(spy)}`

  const { code, stdout } = await s.retake('undo', '2', {
    env: { NODE_OPTIONS, SHELL: undefined },
    input: 'yes\n',
  })

  const { SHELL: _, ...rest } = s.env
  expect(code).toBe(7)
  expect(JSON.parse(stdout)).toEqual({
    cwd: s.project,
    argv: ['undo', '2'],
    env: { ...rest, NODE_OPTIONS },
    input: 'yes\n',
  })
})

test('[house] the scene’s directories are private, and its clock moves by itself', async () => {
  await using s = await scene()

  for (const name of ['XDG_RUNTIME_DIR', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'])
    expect((await stat(s.env[name]!)).mode & 0o777).toBe(0o700)
  expect([s.clock.now(), s.clock.now()].map((time) => new Date(time).toISOString())).toEqual([
    '2026-01-01T00:00:01.000Z',
    '2026-01-01T00:00:02.000Z',
  ])
})

needs('setsid')(
  '[house] the end of a scene ends its processes and leaves nothing behind',
  async () => {
    let root: string
    let pids: number[]
    {
      await using s = await scene()
      root = s.root
      // One stays in its process group, one starts its own session, and one also drops its
      // environment and is found only by its working directory.
      const { stdout } = await s.run('sh', [
        '-c',
        `sleep 600 >/dev/null 2>&1 & echo $!
       setsid sleep 600 >/dev/null 2>&1 & echo $!
       env -i setsid sleep 600 >/dev/null 2>&1 & echo $!`,
      ])
      pids = stdout.trim().split('\n').map(Number)
      await expect.poll(() => pids.map(commandOf)).toEqual(['sleep 600', 'sleep 600', 'sleep 600'])
      await mkdir(join(s.project, 'locked/inner'), { recursive: true })
      await chmod(join(s.project, 'locked'), 0)
    }

    expect(pids.map(commandOf)).toEqual(['', '', ''])
    await expect(access(root)).rejects.toThrow('ENOENT')
  },
)

test('[house] a scene ends even if its test never does', async () => {
  await using run = await runPlanted(`
    import { test } from 'vitest'
    import { scene } from '${new URL('../scene.ts', import.meta.url).pathname}'
    test('stuck', async () => {
      await using s = await scene()
      await s.run('sleep', ['600'])
    })`)

  expect(run.outcomes).toEqual(['stuck: failed'])
  expect(await run.s.processes.running()).toEqual([])
  expect(await readdir(run.s.tmp)).toEqual([])
})

test('[house] a command that hangs is killed, and the failure shows its output', async () => {
  await using s = await scene()

  await expect(
    s.run('sh', ['-c', 'echo so far; exec sleep 600'], { timeoutMs: 2000 }),
  ).rejects.toThrow(/did not end within 2000 ms[\s\S]*so far/)
  await s.processes.end()

  expect(await s.processes.running()).toEqual([])
})
