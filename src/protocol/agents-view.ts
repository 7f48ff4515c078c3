/** The agents that Retake supports here, and their words for users. */
export interface AgentsView {
  schema: 'retake.agents/1'
  agents: AgentView[]
}

export interface AgentView {
  /** The id that sessions refer to. */
  id: string
  name: string
  /** The short name, as in “Message Claude”. */
  short: string
  /** The name of the program on the PATH. */
  program: string
  /** The command that continues a session; `{session}` stands for its id. */
  resume: string
  /** How to leave a session inside the agent. */
  leave: string
  /** Whether Retake can run its turns. */
  runs: boolean
  /** Whether an undo can reopen it at the earlier turn, if it was started as `retake PROGRAM`. */
  reopens: boolean
  /** Whether its hooks can report to Retake what its commands do. */
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
