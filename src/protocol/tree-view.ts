import type { LogReport } from '#timeline'

export interface BranchView {
  id: string
  /** The turn it parts from; null for the trunk and for one that begins anew. */
  fork: string | null
  tip: string
  current: boolean
  turns: { id: string; number: number | null; prompt: string; state: string }[]
}

export interface TreeView {
  schema: 'retake.tree/1'
  session: string
  head: string | null
  branches: BranchView[]
}

export function treeView({ session, head, turns, branches }: LogReport): TreeView {
  const byId = new Map(turns.map((report) => [report.turn.id, report]))
  return {
    schema: 'retake.tree/1',
    session: session.id,
    head,
    branches: branches.map((branch) => ({
      id: branch.id,
      fork: branch.fork,
      tip: branch.tip,
      current: byId.get(branch.tip)!.state !== 'other',
      turns: branch.turns.map((id) => {
        const { turn, number, state } = byId.get(id)!
        return { id, number, prompt: turn.prompt, state }
      }),
    })),
  }
}
