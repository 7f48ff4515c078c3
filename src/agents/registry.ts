import type { Agent, AgentPlaces, AgentWords } from './agent.ts'
import * as claude from './claude-code/index.ts'

/** Every agent that Retake knows: the one place that names them all. */
const AGENTS = [claude] as const

type Env = Readonly<Record<string, string | undefined>>

/** Where each agent keeps its things, as the environment tells. */
export function agentPlaces(env: Env, home: string): AgentPlaces {
  return Object.fromEntries(AGENTS.map(({ name, directoryOf }) => [name, directoryOf(env, home)]))
}

export function findAgents(places: AgentPlaces): Agent[] {
  return AGENTS.flatMap(({ name, adapter }) =>
    places[name] === undefined ? [] : [adapter(places[name])],
  )
}

/** The words of each, also where no session of it is known yet. */
export function allWords(): AgentWords[] {
  return AGENTS.map(({ words }) => words)
}

/** The environment for an agent that Retake starts: without what says that it runs in another. */
export function agentEnvironment<T extends Env>(env: T): T {
  return AGENTS.reduce((rest, { withoutMarks }) => withoutMarks(rest), env)
}

/** The session of the agent that started this process, and the agent's process. */
export function startedIn(
  env: Env,
): { readonly session: string; readonly pid: number | null } | null {
  for (const { startedBy } of AGENTS) {
    const found = startedBy(env)
    if (found !== null) return found
  }
  return null
}
