import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { durableDisk } from '#disk'
import { observeProject, openProject, takeEvents } from '#engine'
import * as adapter from '../agent/claude-parts.ts'
import { APART_MS, playedAgent, type PlayedStep } from '../histories/played-agent.ts'
import type { Scene } from '../scene.ts'
import { machineOf } from '../storage/in-process.ts'

export interface PlayedSession extends Disposable {
  readonly id: string
  turn(prompt: string, ...steps: PlayedStep[]): Promise<void>
}

/**
 * A session with the turn "hello" and one scan, in which the agent and its hooks are simulated: real
 * commands, files and scans, but no agent process. `test/hooks` proves what the real ones write.
 */
export async function playedSession(
  s: Scene,
  {
    cwd = s.project,
    pid = process.pid,
    hello = true,
  }: {
    cwd?: string
    /** The process that has the session open. */
    pid?: number
    /** Without it, the session has no turn yet. */
    hello?: boolean
  } = {},
): Promise<PlayedSession> {
  const made = new DisposableStack()
  const machine = made.use(machineOf(s))
  const project = made.use(openProject(machine, cwd))
  const id = randomUUID()
  const slug = cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')
  observeProject(machine, project)
  const agent = made.use(
    playedAgent({
      project: cwd,
      transcript: join(s.claudeDir, 'projects', slug, `${id}.jsonl`),
      registry: join(s.claudeDir, 'sessions'),
      spool: adapter.prepareSpool(durableDisk, join(s.env['XDG_STATE_HOME']!, 'retake')),
      session: id,
      env: s.env,
      uuid: randomUUID,
      async look() {
        takeEvents(machine, project, id)
        observeProject(machine, project, [id])
      },
      pid,
    }),
  )
  if (hello) await agent.turn('hello', [])
  return {
    id,
    async turn(prompt, ...steps) {
      await agent.turn(prompt, steps)
      // What the test writes next comes later than the turn's last step.
      await setTimeout(APART_MS)
    },
    [Symbol.dispose]: () => made.dispose(),
  }
}
