import { useQuery } from '@tanstack/react-query'
import type { AgentView, Client } from '#protocol'
import { client } from './connection.ts'
import { queries, useSessions } from './queries.ts'

const KEY = ['agents']
const read = () => client().agents({})

/** Placeholder until the server has listed its agents. */
const SOME: AgentView = {
  id: '',
  name: 'your agent',
  short: 'the agent',
  program: 'agent',
  resume: '',
  leave: '/exit',
  runs: true,
  reopens: false,
  hooks: true,
}

/** The agent with this id, else the first one that Retake knows. */
export function useAgent(id?: string): AgentView {
  const { data } = useQuery({ queryKey: KEY, queryFn: read })
  return data?.agents.find((agent) => agent.id === id) ?? data?.agents[0] ?? SOME
}

/** The agent of a session. */
export function useAgentOf(session: string): AgentView {
  const { data } = useSessions()
  return useAgent(data?.sessions.find(({ id }) => id === session)?.agent)
}

/** The short names of the agents by their ids, if there are sessions of several. */
export function useAgentMarks(): ReadonlyMap<string, string> {
  const { data: known } = useQuery({ queryKey: KEY, queryFn: read })
  const { data } = useSessions()
  const used = new Set(data?.sessions.map(({ agent }) => agent))
  const agents = used.size > 1 ? (known?.agents ?? []) : []
  return new Map(agents.filter(({ id }) => used.has(id)).map(({ id, short }) => [id, short]))
}

/** `useAgent` for code outside of components; loads the agents if they are not cached. */
export async function findAgent(id?: string, from: Client = client()): Promise<AgentView> {
  const { agents } = await queries.ensureQueryData({
    queryKey: KEY,
    queryFn: () => from.agents({}),
  })
  return agents.find((agent) => agent.id === id) ?? agents[0] ?? SOME
}
