import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hookEntries } from '../../src/agents/claude-code/install-line.ts'
import { claudeCode } from '../agent/index.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { looksAreOver } from './hook-world.ts'

const lines = hookEntries().map(([event, { hooks }]) => [event, hooks[0]!.command] as const)

test('[sem.A1][sem.A2][H12] without a server a look that is wanted often stays, what a user typed right before a command is theirs, and nothing stays behind the agent', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  expect((await s.retake('install')).code).toBe(0)
  model.on('hello', 'hi')
  const command = bash('sed -i s/five/FIVE/ a.txt')
  model.on('work', [{ hang: 'before', blocks: [command] }, 'done'])
  const { sessionId } = await agent.prompt('hello')
  await looksAreOver(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const offered = join(state, 'looks', sessionId)
  const running = agent.prompt('work', { resume: sessionId })
  await model.hanging()

  // Steps, as the agent tells of them.
  const env = { CLAUDE_CODE_SESSION_ID: sessionId, CLAUDE_PROJECT_DIR: s.project }
  const silent = { code: 0, stdout: '', stderr: '' }
  const step = async (n: number): Promise<void> => {
    for (const [event, line] of lines.filter(([name]) => /^P\w+ToolUse$/.test(name))) {
      const told = { session_id: sessionId, hook_event_name: event, tool_use_id: `t${n}` }
      const input = JSON.stringify({ ...told, tool_name: 'Bash', duration_ms: 1 })
      expect(await s.run('sh', ['-c', line], { input, env })).toEqual(silent)
    }
  }
  for (let n = 0; n < 20 && !existsSync(offered); n += 1) {
    await step(n)
    const isReady = (): boolean =>
      existsSync(offered) || !existsSync(join(state, `look.${sessionId}`))
    await expect.poll(isReady, { timeout: 30_000, interval: 20 }).toBe(true)
  }
  const who = await readFile(offered, 'utf8')
  expect(Number.parseInt(who, 10)).toBeGreaterThan(1)

  // No look but the one before the step comes in between.
  await s.write('a.txt', 'MINE\ntwo\nthree\nfour\nfive\n')
  model.release()
  await running
  expect(await s.read('a.txt')).toBe('MINE\ntwo\nthree\nfour\nFIVE\n')

  // It goes with the agent, and takes the events with it.
  const left = (): string[] => [
    ...readdirSync(state).filter((name) => name.startsWith('look.')),
    ...readdirSync(join(state, 'looks')),
    ...readdirSync(join(state, 'spool')),
  ]
  await expect.poll(left, { timeout: 30_000 }).toEqual([])
  const pid = Number.parseInt(who, 10)
  await expect.poll(() => existsSync(`/proc/${pid}/stat`)).toBe(false)
  expect((await s.retake('undo', '--session', sessionId, '--yes')).code).toBe(0)
  expect(await s.read('a.txt')).toBe('MINE\ntwo\nthree\nfour\nfive\n')
})
