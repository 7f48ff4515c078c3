import { spawnSync } from 'node:child_process'
import { statPath } from '#disk'
import { Failure } from '#failure'
import type { Machine } from '../ground/index.ts'
import { loopScript } from './loop-script.ts'
import { recordSupervised } from './supervised.ts'

/** A program that replaces this process, and its arguments with its own name first. */
export interface Exec {
  readonly file: string
  readonly argv: readonly string[]
}

/**
 * How to start the agent: in the loop that can reopen it, or directly if it shows no screen that
 * could be reopened.
 */
export function planSupervised(
  { disk, places, agents }: Machine,
  name: string,
  { args, terminal }: { readonly args: readonly string[]; readonly terminal: boolean },
): Exec {
  const program = findOnPath(places.programs, name)
  if (program === null)
    throw new Failure('agent-not-started', `There is no \`${name}\` on your PATH.`, {
      hint: 'Install it, or add its directory to PATH.',
    })
  const alone = { file: program, argv: [name, ...args] }
  const agent = agents.find(({ words }) => words.program === name)
  const supervise = agent?.runner?.supervise
  if (!terminal || agent === undefined || !supervise) return alone
  if (supervise.restart(args, { session: '', prefill: null }) === null) return alone
  let directory: string
  try {
    directory = recordSupervised(disk, places, {
      agent: agent.name,
      program,
      args,
      tty: ownTerminal(),
    })
  } catch {
    // A full disk must not stop the user from working.
    return alone
  }
  return { file: '/bin/sh', argv: ['sh', '-c', loopScript, name, directory, program, ...args] }
}

/** Finds a program as the user's shell would. */
function findOnPath(directories: readonly string[], name: string): string | null {
  for (const directory of directories) {
    const stat = statPath(`${directory}/${name}`)
    if (stat?.isFile() === true && (Number(stat.mode) & 0o111) !== 0) return `${directory}/${name}`
  }
  return null
}

/** The path of the terminal on standard input. */
function ownTerminal(): string | null {
  const { stdout } = spawnSync('tty', { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' })
  const path = stdout?.trim() ?? ''
  return path.startsWith('/') ? path : null
}
