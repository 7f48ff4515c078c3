import { useQuery } from '@tanstack/react-query'
import type { AgentView, Client } from '#protocol'
import { client } from './connection.ts'
import { queries } from './queries.ts'

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

/** `useAgent` for code outside of components; loads the agents if they are not cached. */
export async function findAgent(id?: string, from: Client = client()): Promise<AgentView> {
  const { agents } = await queries.ensureQueryData({
    queryKey: KEY,
    queryFn: () => from.agents({}),
  })
  return agents.find((agent) => agent.id === id) ?? agents[0] ?? SOME
}
