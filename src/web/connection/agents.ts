import { useQuery } from '@tanstack/react-query'
import type { AgentView, Client } from '#protocol'
import { client } from './connection.ts'
import { queries } from './queries.ts'

const KEY = ['agents']
const read = () => client().agents({})

/** Until the server has said which agents there are. */
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

/** How people speak of the agent of a session; of the first that Retake knows if none is named. */
export function useAgent(id?: string): AgentView {
  const { data } = useQuery({ queryKey: KEY, queryFn: read })
  return data?.agents.find((agent) => agent.id === id) ?? data?.agents[0] ?? SOME
}

/** The same outside of components; read before it is needed. */
export async function findAgent(id?: string, from: Client = client()): Promise<AgentView> {
  const { agents } = await queries.ensureQueryData({
    queryKey: KEY,
    queryFn: () => from.agents({}),
  })
  return agents.find((agent) => agent.id === id) ?? agents[0] ?? SOME
}
