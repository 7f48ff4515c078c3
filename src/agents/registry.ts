import type { Agent, AgentPlaces, AgentWords } from './agent.ts'
import * as claude from './claude-code/index.ts'
import * as codex from './codex/index.ts'

/** Every agent that Retake supports. No other place lists them all. */
const AGENTS = [claude, codex] as const

type Env = Readonly<Record<string, string | undefined>>

/** The directory of each agent's own files, according to the environment. */
export function agentPlaces(env: Env, home: string): AgentPlaces {
  return Object.fromEntries(AGENTS.map(({ name, directoryOf }) => [name, directoryOf(env, home)]))
}

export function findAgents(places: AgentPlaces): Agent[] {
  return AGENTS.flatMap(({ name, adapter }) =>
    places[name] === undefined ? [] : [adapter(places[name])],
  )
}

/** The words of every agent, even if none of its sessions is known. */
export function allWords(): AgentWords[] {
  return AGENTS.map(({ words }) => words)
}

/**
 * The environment for an agent that Retake starts, without variables that say it runs inside
 * another.
 */
export function agentEnvironment<T extends Env>(env: T): T {
  return AGENTS.reduce((rest, { withoutMarks }) => withoutMarks(rest), env)
}

/** The session of the agent that started this process, and the agent's pid. */
export function startedIn(
  env: Env,
): { readonly session: string; readonly pid: number | null } | null {
  for (const { startedBy } of AGENTS) {
    const found = startedBy(env)
    if (found !== null) return found
  }
  return null
}
