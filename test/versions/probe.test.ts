import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeVersion } from '../../src/agents/claude-code/trial/probe.ts'
import { isObeyed } from '../../src/agents/claude-code/trial/probe-session.ts'
import { findClaudeBinary } from '../agent/claude-binary.ts'
import { type Scene, scene } from '../scene.ts'
import { stateOf } from '../house/process-facts.ts'

async function probe(s: Scene, script: string, timeoutMs: number) {
  const program = join(s.root, 'claude')
  await s.write(program, `#!/bin/sh\n${script}\n`)
  await chmod(program, 0o755)
  await mkdir(join(s.root, 'cache'), { mode: 0o700 })
  const answer = await probeVersion({
    version: '9.9.9',
    program,
    directories: ['/usr/bin', '/bin'],
    scratch: join(s.root, 'cache'),
    timeoutMs,
    at: new Date(),
    newId: randomUUID,
  })
  return { answer, left: await readdir(join(s.root, 'cache')) }
}

test('[sem.C2] a hanging program is killed with all its children, and leaves nothing behind', async () => {
  await using s = await scene()
  const pids = join(s.root, 'pids')
  const script = `[ "$1" = --version ] && echo 9.9.9 && exit
    sleep 1000 & echo $! $$ > '${pids}'; wait`
  expect(await probe(s, script, 4000)).toEqual({ answer: 'does-not', left: [] })
  const started = (await readFile(pids, 'utf8')).trim().split(' ')
  // A killed process is listed as a zombie until its parent reaps it.
  await expect
    .poll(() => started.map((pid) => stateOf(Number(pid))))
    .toEqual(started.map(() => expect.stringMatching(/^(gone|Z)$/)))
})

test('[S6] the trial runs in its own home, without the user’s data', async () => {
  await using s = await scene()
  const log = join(s.root, 'seen')
  const real = findClaudeBinary()
  const script = `[ "$1" = --version ] && echo 9.9.9 && exit
    env > '${log}'; pwd >> '${log}'; exec '${real}' "$@"`
  expect(await probe(s, script, 60_000)).toEqual({ answer: 'obeys', left: [] })
  const seen = await readFile(log, 'utf8')
  expect(seen).toMatch(/^HOME=.*\/cache\/scratch-\w+\/home$/m)
  expect(seen).toMatch(/^CLAUDE_CONFIG_DIR=.*\/cache\/scratch-\w+\/home\/\.claude$/m)
  expect(seen).toMatch(/^HTTPS_PROXY=http:\/\/127\.0\.0\.1:9$/m)
  expect(seen).not.toContain('VITEST')
})

test('[sem.C2] only exactly the kept conversation counts as obeyed', () => {
  const said = (role: string, text: string) => ({ role, text })
  const session = {
    id: 's',
    prompt: 'go on',
    expected: [said('user', 'ask 1'), said('assistant', 'answer 1'), said('user', 'go on')],
  }
  const request = (...texts: [string, string][]) => ({
    messages: texts.map(([role, text]) => ({
      role,
      content: [
        { type: 'text', text: '<system-reminder>\nof the agent\n</system-reminder>' },
        { type: 'text', text },
      ],
    })),
  })
  const kept = [
    ['user', 'ask 1'],
    ['assistant', 'answer 1'],
  ] as [string, string][]
  const right = request(...kept, ['user', 'go on'])
  const tooMuch = request(...kept, ['user', 'ask 2'], ['assistant', 'answer 2'], ['user', 'go on'])
  const madeUp = request(...kept, ['assistant', 'No response requested.'], ['user', 'go on'])
  expect(isObeyed([right], session)).toBe(true)
  expect(isObeyed([request(['user', 'find a title']), right], session)).toBe(true)
  for (const wrong of [
    [],
    [tooMuch],
    [right, tooMuch],
    [madeUp],
    [request(['user', 'go on'])],
    [{}],
  ])
    expect(isObeyed(wrong, session)).toBe(false)
})
