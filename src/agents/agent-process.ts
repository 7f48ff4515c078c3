import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

type Child = ChildProcessByStdio<Writable, Readable, Readable>

interface SpawnOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The agent's process, in its own process group: Ctrl-C in Retake's terminal must not reach it. */
export interface AgentProcess {
  readonly start: (options: SpawnOptions) => Child
  /** The end of its error output, for the message if it dies. */
  lastWords(): string
  /** Waits for its exit, and kills it if it takes longer. */
  end(timeoutMs: number): Promise<void>
}

export function agentProcess(): AgentProcess {
  let child: Child | null = null
  let said = ''
  let exited: Promise<void> = Promise.resolve()
  return {
    start({ command, args, cwd, env }) {
      const started = spawn(command, args, {
        cwd,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      })
      child = started
      exited = new Promise((resolve) => {
        started.once('exit', () => resolve())
        started.once('error', () => resolve())
      })
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4096)
      })
      return started
    },
    lastWords: () => said.trim(),
    async end(timeoutMs) {
      for (const signal of [null, 'SIGTERM', 'SIGKILL'] as const) {
        if (child === null) return
        if (signal !== null) killGroup(child, signal)
        const done = await Promise.race([
          exited.then(() => true),
          sleep(signal === null ? timeoutMs : 2000, false, { ref: false }),
        ])
        if (done) return
      }
    },
  }
}

function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has already exited.
  }
}
