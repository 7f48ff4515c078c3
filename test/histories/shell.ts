import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** One shell for all commands of a history, because starting a shell is most of a short command. */
export interface Shell extends Disposable {
  /** Runs commands in a subshell. */
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
