import { isatty } from 'node:tty'
import { planSupervised } from '#engine'
import { readEnvironment } from './environment.ts'

/**
 * Becomes Claude Code, or the loop that starts it. Everything behind the verb is Claude Code's, so
 * nothing here reads it as options of Retake.
 */
export function runClaude(args: readonly string[]): never {
  const { places } = readEnvironment(process.env, {})
  // Not `process.stdin.isTTY`: that would prepare the input for reading and take keys away.
  const terminal = isatty(0) && isatty(1)
  const { file, argv } = planSupervised(places, 'claude', { args, terminal })
  return process.execve!(file, [...argv], process.env)
}
