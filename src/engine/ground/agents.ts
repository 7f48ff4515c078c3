import type { Agent, AgentName, AgentWords, LiveProcess, SessionFile } from '#agents'
import { Failure } from '#failure'
import type { Machine } from './machine.ts'

/** The only place that selects an agent by name; all other code uses the result. */
export function agentOf({ agents }: Machine, { agent }: { readonly agent: AgentName }): Agent {
  const found = agents.find(({ name }) => name === agent)
  if (found !== undefined) return found
  throw new Failure('agent-unknown', `Retake does not know the agent ${agent}.`, {
    hint: 'A newer Retake may know it.',
  })
}

export function agentWords(machine: Machine, agent: AgentName): AgentWords {
  return agentOf(machine, { agent }).words
}

/** The agent in whose directory a file is or was. */
export function agentAt({ agents }: Pick<Machine, 'agents'>, path: string): Agent {
  const owns = (agent: Agent): boolean =>
    agent.directories.some((directory) => path.startsWith(`${directory.path}/`))
  return agents.find(owns) ?? agents[0]!
}

/** The wording for a session's agent, or for the first known agent if there is no session. */
export function wordsOf(machine: Machine, session: string | null): AgentWords {
  const file = session === null ? null : findSessionFile(machine, session)
  return (file === null ? machine.agents[0]! : agentOf(machine, file)).words
}

/** All sessions on the machine, or those whose working directory may be one of `directories`. */
export function listSessionFiles(
  { agents }: Machine,
  directories?: readonly string[],
): SessionFile[] {
  return agents.flatMap(({ sessions }) => sessions.list(directories))
}

/** Sessions whose working directory may be `directory` or lie below it. */
export function listSessionFilesBelow({ agents }: Machine, directory: string): SessionFile[] {
  return agents.flatMap(({ sessions }) => sessions.listBelow(directory))
}

/** Null if no session has that id. */
export function findSessionFile({ agents }: Machine, id: string): SessionFile | null {
  for (const { sessions } of agents) {
    const file = sessions.find(id)
    if (file !== null) return file
  }
  return null
}

/** The processes that have a session open now, as far as their agents report it. */
export function findLiveProcesses({ agents }: Machine): LiveProcess[] {
  return agents.flatMap((agent) => agent.live() ?? [])
}

/** Retake's own directories and those of the agents. */
export function ownDirectories({ agents, places }: Machine): string[] {
  const { data, config, cache, state } = places
  return [
    ...agents.flatMap(({ directories }) => directories.map(({ path }) => path)),
    data,
    config,
    cache,
    state,
  ]
}
