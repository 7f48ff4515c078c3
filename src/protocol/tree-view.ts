import type { TreeReport } from '#timeline'

export interface BranchView {
  id: string
  /** The turn it diverges from; null for the trunk, and for a branch with its own first turn. */
  fork: string | null
  tip: string
  label: string
  /** The name that the user gave it. */
  name: string | null
  current: boolean
  archived: boolean
  canonical: boolean
  turns: {
    id: string
    number: number | null
    prompt: string
    /** When it was sent. */
    at: string | null
    state: string
    /** The number of turns that continue from it; more than one is a fork. */
    children: number
    checkpoints: string[]
  }[]
}

export interface TreeView {
  schema: 'retake.tree/1'
  session: string
  head: string | null
  branches: BranchView[]
}

export function treeView({ session, head, turns, branches }: TreeReport): TreeView {
  const byId = new Map(turns.map((report) => [report.turn.id, report]))
  return {
    schema: 'retake.tree/1',
    session: session.id,
    head,
    branches: branches.map((branch) => ({
      id: branch.id,
      fork: branch.fork,
      tip: branch.tip,
      label: branch.label,
      name: branch.name,
      current: branch.current,
      archived: branch.archived,
      canonical: branch.canonical,
      turns: branch.turns.map((id) => {
        const { turn, number, state, children, checkpoints } = byId.get(id)!
        const { prompt, at } = turn
        return { id, number, prompt, at, state, children, checkpoints: [...checkpoints] }
      }),
    })),
  }
}
