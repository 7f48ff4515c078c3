import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Agent } from '#agents'
import { findProgram } from '#disk'
import type { Machine } from '../ground/index.ts'

const TIMEOUT_MS = 15_000

/** The agent's program as Retake would run it, and its version; null if there is none. */
export async function findAgentVersion(
  { places }: Machine,
  { words: { program } }: Agent,
  project: string,
): Promise<{ readonly path: string; readonly version: string | null } | null> {
  const found = findProgram(program, places.programs, { outside: [project] })
  return found === null ? null : { path: found.path, version: await askVersion(found.path) }
}

async function askVersion(program: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: TIMEOUT_MS })
    // Some programs print their name first.
    return /(?<=^|\s)\d+\.\d+\.\d+\S*/.exec(stdout.trim())?.[0] ?? null
  } catch {
    return null
  }
}
