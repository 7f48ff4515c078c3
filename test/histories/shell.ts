import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** One shell for all commands of a history: most of a short command is the start of its shell. */
export interface Shell extends Disposable {
  /** Runs commands in a shell of their own. */
  run(commands: string): Promise<void>
}

export function openShell(cwd: string, env: Readonly<Record<string, string>>): Shell {
  const child = spawn('/bin/sh', [], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  return {
    async run(commands) {
      child.stdin.write(`(\n${commands}\n:) </dev/null >/dev/null 2>&1\necho done\n`)
      await once(child.stdout, 'data')
    },
    [Symbol.dispose]() {
      child.stdin.end()
    },
  }
}
