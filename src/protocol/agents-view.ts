/** The agents that Retake knows here, and how people speak of them. */
export interface AgentsView {
  schema: 'retake.agents/1'
  agents: AgentView[]
}

export interface AgentView {
  /** As sessions name their agent. */
  id: string
  name: string
  /** As one speaks to it. */
  short: string
  /** The program's name on the PATH. */
  program: string
  /** The command that goes on with a session; `{session}` stands for its id. */
  resume: string
  /** How a session is left inside the agent. */
  leave: string
  /** Whether Retake can run turns of it. */
  runs: boolean
  /** Whether an undo can reopen it at the earlier turn, started as `retake PROGRAM`. */
  reopens: boolean
  /** Whether it can tell Retake what its commands do. */
  hooks: boolean
}

interface Known {
  readonly name: string
  readonly words: Omit<AgentView, 'id' | 'runs' | 'reopens' | 'hooks'>
  readonly runner: { readonly supervise: object | null } | null
  readonly capture: object | null
}

export function agentsView(agents: readonly Known[]): AgentsView {
  return {
    schema: 'retake.agents/1',
    agents: agents.map(({ name: id, words, runner, capture }) => {
      const { name, short, program, resume, leave } = words
      return {
        id,
        name,
        short,
        program,
        resume,
        leave,
        runs: runner !== null,
        reopens: (runner?.supervise ?? null) !== null,
        hooks: capture !== null,
      }
    }),
  }
}

export function forSession(words: string, session: string): string {
  return words.replace('{session}', session)
}
