import { isatty } from 'node:tty'
import { openMachine, planSupervised } from '#engine'
import { readEnvironment } from './environment.ts'

/**
 * Replaces this process with Claude Code, or with the loop that supervises it. All arguments after
 * the verb go to Claude Code, so Retake parses none of them.
 */
export function runClaude(args: readonly string[]): never {
  const { places } = readEnvironment(process.env, {})
  // Not `process.stdin.isTTY`: opening the stream would swallow keys meant for Claude Code.
  const terminal = isatty(0) && isatty(1)
  const machine = openMachine(places, { now: () => new Date(), newId: () => crypto.randomUUID() })
  const { file, argv } = planSupervised(machine, 'claude', { args, terminal })
  return process.execve!(file, [...argv], process.env)
}
