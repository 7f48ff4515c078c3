import { delimiter } from 'node:path'
import { Failure } from '#failure'
import { findProgram } from '#disk'
import type { Runner, RunRequest } from '../../runner.ts'

const NAME = 'codex'

/** For `doctor`: null if turns can be run. */
export async function runRequirements(programs: readonly string[]): ReturnType<Runner['missing']> {
  if (findProgram(NAME, programs, { outside: [] }) !== null) return null
  return {
    what: 'There is no `codex` on your PATH, so Retake cannot run it.',
    hint: 'Install Codex.',
  }
}

/** Never a program of the project, which could be anyone's. */
export function programOf({ executable, environment, project }: RunRequest): string {
  if (executable !== null) return executable
  const programs = (environment['PATH'] ?? '').split(delimiter)
  const found = findProgram(NAME, programs, { outside: [project] })
  if (found !== null) return found.path
  throw new Failure('agent-not-started', 'There is no `codex` on your PATH that is safe to run.', {
    hint: 'Install Codex where only you or root can write.',
  })
}
