import { spawn } from 'node:child_process'
import { constants, closeSync, openSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { needs } from '../needs.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { writeLongSession } from '../web/long-session.ts'

/** The script of the built package that has the verbs that only read. */
const shown = (s: Scene, line: string) => s.run('sh', ['-c', line, process.execPath, cli])

for (const verb of ['status', 'log', 'sessions'])
  // Pretending another platform loads the network itself.
  needs('own-platform')(`${verb} in a pipe does not load the network`, async () => {
    await using s = await scene()
    await writeLongSession(s, 3)
    const spy = join(s.root, 'spy.mjs')
    await s.write(
      spy,
      `process.on('exit', () => console.error(process.moduleLoadList.includes('NativeModule net')))`,
    )
    const spied = `"$0" --import '${pathToFileURL(spy).href}' "$1" ${verb} | cat`
    const { stdout, stderr } = await shown(s, spied)
    expect(stdout).toContain('Prompt number')
    expect(stderr).toBe('false\n')
  })

test('a reader that ends early is no failure', async () => {
  await using s = await scene()
  await writeLongSession(s, 3)
  const { stdout, stderr } = await shown(s, '("$0" "$1" log; echo "code $?" >&2) | true')
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: 'code 0\n' })
})

test('all output arrives in a pipe that another process made non-blocking', async () => {
  await using s = await scene()
  await writeLongSession(s, 600)
  const whole = await shown(s, '"$0" "$1" log --all --json')
  const fifo = join(s.root, 'fifo')
  await s.run('mkfifo', [fifo])
  const { O_RDWR, O_NONBLOCK } = constants
  const pipe = openSync(fifo, O_RDWR | O_NONBLOCK)
  const reader = spawn('sh', ['-c', 'read -r _; exec cat "$0"', fifo], { stdio: ['pipe', 'pipe', 'inherit'] }) // prettier-ignore
  const child = spawn(process.execPath, [cli, 'log', '--all', '--json'], {
    cwd: s.project,
    env: { ...s.env },
    stdio: ['ignore', pipe, 'inherit'],
  })
  reader.stdin.end('go\n')
  const read = readAll(reader.stdout)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  closeSync(pipe)
  expect(code).toBe(0)
  expect(whole.stdout.length).toBeGreaterThan(100_000)
  expect(await read).toBe(whole.stdout)
})
