import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import { hookEntries } from '../../src/agents/claude-code/hooks/install-line.ts'
import { scene } from '../scene.ts'
import { hookWorld } from './hook-world.ts'

const events = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse']
const silent = { code: 0, stdout: '', stderr: '' }

test('[H7][H10][H12] a hook lets the server scan, and scans by itself if none answers', async () => {
  await using s = await scene()
  const { spool } = hookWorld(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const looked = join(state, 'looked')
  await writeFile(join(state, 'observe'), `echo "$@" >>'${looked}'\n`)
  const hook = (event: string): ReturnType<typeof s.run> => {
    const { command } = hookEntries().find(([name]) => name === event)![1].hooks[0]!
    const input = { session_id: 'one', hook_event_name: event, tool_name: 'Bash', prompt: 'do it' }
    return s.run('sh', ['-c', command], {
      input: JSON.stringify(input),
      env: { CLAUDE_CODE_SESSION_ID: 'one', CLAUDE_PROJECT_DIR: s.project },
    })
  }
  const alone: string[] = []
  const scansAlone = async (said: string): Promise<void> => {
    const read = async (): Promise<string> => readFile(looked, 'utf8').catch(() => '')
    alone.push(`${said}\n`)
    await expect.poll(read).toBe(alone.join(''))
  }
  const one = new Set(['one'])

  // No server at all.
  for (const [event, said] of [
    ['UserPromptSubmit', 'one'],
    ['PreToolUse', 'one step'],
    ['PostToolUse', 'one step'],
    ['SubagentStop', 'one all'],
    ['SessionEnd', 'one all'],
  ] as const) {
    expect(await hook(event)).toEqual(silent)
    await scansAlone(said)
  }

  // A killed one: no hook waits for it.
  await mkdir(join(state, 'looks'), { mode: 0o700 })
  await writeFile(join(state, 'looks', 'one'), `4194999 ${s.project}\n`)
  expect(await hook('PreToolUse')).toEqual(silent)
  await scansAlone('one step')

  // One that watches another directory.
  const looks = adapter.openScanRequests(durableDisk, state)
  looks.offer('one', '/elsewhere')
  expect(await hook('PreToolUse')).toEqual(silent)
  await scansAlone('one step')
  looks.withdraw('one')

  // One that answers after its scan, before a prompt and before a step that waits.
  looks.offer('one', s.project)
  expect(await readFile(join(looks.directory, 'one'), 'utf8')).toBe(`${process.pid} ${s.project}\n`)
  let answered = 0
  const answering = setInterval(() => {
    const asked = looks.asked(one)
    answered += asked.length
    looks.answer(asked)
  }, 1)
  for (const [n, event] of events.entries()) {
    expect(await hook(event)).toEqual(silent)
    if (event === 'PostToolUse') await expect.poll(() => answered).toBe(n + 1)
    expect(answered).toBe(n + 1)
  }
  clearInterval(answering)
  expect(await readFile(looked, 'utf8')).toBe(alone.join(''))

  // A hanging one is asked once; after a step no hook waits for it.
  expect(await hook('PostToolUse')).toEqual(silent)
  expect(looks.asked(one)).toHaveLength(1)
  looks.answer(looks.asked(one))
  expect(await hook('PreToolUse')).toEqual(silent)
  await scansAlone('one step')
  expect(looks.asked(one)).toEqual([])
  expect(existsSync(join(looks.directory, 'one'))).toBe(false)
  expect(adapter.readSpool(durableDisk, spool, { now: new Date() }).events).toHaveLength(12)
})

test('[H12] one process offers scans, and no other withdraws its offer', async () => {
  await using s = await scene()
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  await mkdir(join(state, 'looks'), { recursive: true, mode: 0o700 })
  const offer = join(state, 'looks', 'one')
  const looks = adapter.joinScanRequests(durableDisk, state)
  expect(looks.offeredBy('one')).toBe('nobody')

  // The test's parent plays another live process of Retake.
  await writeFile(offer, `${process.ppid} /elsewhere\n`)
  expect(looks.offeredBy('one')).toBe('another')
  looks.offer('one', s.project)
  looks.withdraw('one')
  expect(await readFile(offer, 'utf8')).toBe(`${process.ppid} /elsewhere\n`)

  // The next process replaces a killed one.
  await writeFile(offer, `4194999 /elsewhere\n`)
  expect(looks.offeredBy('one')).toBe('nobody')
  looks.offer('one', s.project)
  expect(looks.offeredBy('one')).toBe('us')
  expect(await readFile(offer, 'utf8')).toBe(`${process.pid} ${s.project}\n`)
  looks.withdraw('one')
  expect(existsSync(offer)).toBe(false)

  // A server takes over.
  await writeFile(offer, `${process.ppid} /elsewhere\n`)
  expect(adapter.openScanRequests(durableDisk, state).offeredBy('one')).toBe('nobody')
})

test('[H10][H12] the agent does not wait for a scan in the background', async () => {
  await using s = await scene()
  hookWorld(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const [go, looked] = [join(state, 'go'), join(state, 'looked')]
  const wait = `while [ ! -e '${go}' ]; do sleep 0.02; done; echo "$1" >'${looked}'\n`
  await writeFile(join(state, 'observe'), wait)
  const { command } = hookEntries().find(([name]) => name === 'PostToolUse')![1].hooks[0]!
  // Like Claude Code, this waits until every process has closed the hook's output.
  const ended = await s.run('sh', ['-c', command], {
    input: '{}',
    env: { CLAUDE_CODE_SESSION_ID: 'one', CLAUDE_PROJECT_DIR: s.project },
  })
  expect(ended).toEqual(silent)
  expect(existsSync(looked)).toBe(false)
  await writeFile(go, '')
  await expect.poll(() => readFile(looked, 'utf8').catch(() => '')).toBe('one\n')
})
