import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { objectOf, openRpc, type Params } from '../../src/agents/codex/run/rpc.ts'
import type { Codex } from '../agent/codex.ts'
import type { Scene } from '../scene.ts'

/** Writes what Codex's dialog writes when the user trusts all hooks, with the hashes of Codex. */
export async function trustHooks(s: Scene, agent: Codex): Promise<number> {
  const child = spawn(agent.binary, ['app-server'], { cwd: s.project, env: agent.env })
  const rpc = openRpc({ input: child.stdin, output: child.stdout }, { notified() {}, asked() {} })
  await rpc.request('initialize', { clientInfo: { name: 'test', version: '0' } })
  rpc.notify('initialized')
  const { data } = await rpc.request('hooks/list', { cwds: [s.project] })
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  const { hooks, errors, warnings } = objectOf((data as unknown[])[0])
  expect([errors, warnings]).toEqual([[], []])
  const states = (hooks as Params[]).map(
    ({ key, currentHash }) =>
      `[hooks.state."${String(key)}"]\ntrusted_hash = "${String(currentHash)}"\n`,
  )
  appendFileSync(join(agent.home, 'config.toml'), `\n${states.join('\n')}`)
  return states.length
}
