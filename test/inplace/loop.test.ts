import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { durableDisk } from '#disk'
import { openHandover } from '../../src/engine/supervise/handover.ts'
import { loopScript, shellWords } from '../../src/engine/supervise/loop-script.ts'
import { needs } from '../needs.ts'

const directory = (): string => mkdtempSync(join(tmpdir(), 'loop-'))

/** The loop around a shell script that plays the agent. */
function start(d: string, script: string, ...args: string[]) {
  const all = ['-c', loopScript, 'claude', d, '/bin/sh', '-c', script, 'agent', ...args]
  const child = spawn('/bin/sh', all, { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, said }))
  const shows = async (text: string): Promise<void> => {
    while (!said.includes(text)) await sleep(5)
  }
  return { pid: child.pid!, ended, shows }
}

const found = (d: string, pid = 0) =>
  ({ directory: d, program: '/bin/sh', process: { pid, cwd: tmpdir() } }) as Parameters<
    typeof openHandover
  >[1]

const pidIn = (d: string): number => Number(readFileSync(`${d}/pid`, 'utf8'))
/** Writes its process id to a file, and waits. */
const AGENT = 'echo $$ >"$1/pid"; echo up; exec sleep 30'

test('[house] the loop passes arguments and the exit code on, and leaves nothing behind', async () => {
  const d = directory()
  const { ended } = start(d, 'printf "<%s>" "$@"; exit 7', 'a b', "it's", '')
  expect(await ended).toEqual({ code: 7, said: "<a b><it's><>" })
  expect(existsSync(d)).toBe(false)
})

needs('linux')('[house] the agent reads from the terminal of the loop', () => {
  const d = directory()
  const all = ['-c', loopScript, 'claude', d, '/bin/sh', '-c', 'cat; ls -l /proc/self/fd']
  const { stdout } = spawnSync('/bin/sh', all, { input: 'typed\n', encoding: 'utf8' })
  expect(stdout).toMatch(/^typed\n/)
  // No descriptor of the loop is left open. The fourth one is the directory that `ls` reads.
  expect(stdout).not.toMatch(/ 4 ->/)
})

test('[house] a signal for the loop reaches the agent', async () => {
  const d = directory()
  const { pid, ended, shows } = start(
    d,
    'trap "echo got; exit 9" TERM; echo up; while :; do sleep 0.02; done',
  )
  await shows('up')
  process.kill(pid, 'SIGTERM')
  expect(await ended).toEqual({ code: 9, said: 'up\ngot\n' })
})

test('[sem.C2] an agent that Retake ended starts again with the words of the hand-over', async () => {
  const d = directory()
  const { ended, shows } = start(d, AGENT, d)
  await shows('up')
  {
    using handover = openHandover(durableDisk, found(d), ['-c', 'echo plain'])
    process.kill(pidIn(d), 'SIGTERM')
    await sleep(100)
    handover.go({ args: ['-c', 'printf "%s," "$@"', 'x', "it's", 'a\nb'], plain: [] })
    expect(await ended).toEqual({ code: 0, said: "up\nit's,a\nb," })
  }
})

test('[sem.C2] a restart that fails is tried once without its additions', async () => {
  const d = directory()
  const { ended, shows } = start(d, AGENT, d)
  await shows('up')
  using handover = openHandover(durableDisk, found(d), ['-c', 'echo died'])
  process.kill(pidIn(d), 'SIGTERM')
  handover.go({ args: ['-c', 'echo unknown option; exit 1'], plain: ['-c', 'echo plain; exit 4'] })
  expect(await ended).toEqual({ code: 4, said: 'up\nunknown option\nplain\n' })
})

test('[sem.C2] an agent is started again also if the process that ended it died', async () => {
  const d = directory()
  const { ended, shows } = start(d, AGENT, d)
  await shows('up')
  const dead = spawnSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).stdout
  writeFileSync(`${d}/by`, dead)
  writeFileSync(`${d}/ending`, `set -- ${shellWords(['/bin/sh', '-c', 'echo resumed; exit 5'])}\n`)
  process.kill(pidIn(d), 'SIGTERM')
  expect(await ended).toEqual({ code: 5, said: 'up\nresumed\n' })
})

test('[sem.C2] a hand-over that was given up does not bring back an agent that the user leaves', async () => {
  const d = directory()
  const { ended, shows } = start(
    d,
    `trap "exit 0" USR1; ${AGENT.replace('exec sleep 30', 'while :; do sleep 0.02; done')}`,
    d,
  )
  await shows('up')
  openHandover(durableDisk, found(d), ['-c', 'echo plain'])[Symbol.dispose]()
  process.kill(pidIn(d), 'SIGUSR1')
  expect(await ended).toEqual({ code: 0, said: 'up\n' })
})

test('[house] after an agent was killed the loop resets the terminal', async () => {
  const d = directory()
  const { ended, shows } = start(d, AGENT, d)
  await shows('up')
  process.kill(pidIn(d), 'SIGKILL')
  const { code, said } = await ended
  expect(code).toBe(137)
  for (const mode of ['?1049l', '?25h', '?1000l', '?2004l'])
    expect(said).toContain(`\u001B[${mode}`)
})
