import type { SessionsView, TreeView } from '#protocol'
import { brief } from '../words.ts'

/** One turn in the graph. */
export interface GraphTurn extends Omit<TreeView['branches'][number]['turns'][number], 'state'> {
  readonly state: string
  readonly session: string
  readonly isHead: boolean
}

/** A branch with only its own turns; turns that it shares are in another lane. */
export interface Lane {
  readonly id: string
  readonly session: string
  readonly branch: string
  readonly name: string
  readonly current: boolean
  readonly archived: boolean
  readonly fork: string | null
  readonly turns: readonly GraphTurn[]
}

type Session = SessionsView['sessions'][number]

/**
 * The branches of sessions as lanes. A session branched off another one repeats the turns it began
 * with; they are drawn once, in the session that had them first.
 */
export function lanesOf(trees: readonly TreeView[], sessions: readonly Session[]): Lane[] {
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent?.session]))
  const order = [...trees].sort((a, b) => depth(parents, a.session) - depth(parents, b.session))
  const seen = new Set<string>()
  return order.flatMap((tree) => {
    const title = sessions.find(({ id }) => id === tree.session)?.title ?? 'Session'
    // Each session has a branch called main, so names start with the session.
    const within = (name: string): string =>
      trees.length > 1 ? `${brief(title, 32)} › ${name}` : name
    return tree.branches.flatMap((branch): Lane[] => {
      const own = branch.turns.filter(({ id }) => !seen.has(id))
      const shared = branch.turns.findLast(({ id }) => seen.has(id))
      for (const { id } of own) seen.add(id)
      if (own.length === 0) return []
      const name = branch.name ?? nameOf(branch, own, tree)
      const placeOf = new Map(branch.turns.map(({ id }, at) => [id, at + 1]))
      return [
        {
          id: `${tree.session} ${branch.id}`,
          session: tree.session,
          branch: branch.id,
          name: within(name),
          current: branch.current,
          archived: branch.archived,
          fork: shared?.id ?? branch.fork,
          turns: own.map((turn) => ({
            ...turn,
            // Outside the line a turn is counted along its own branch, as in the branch window.
            number: turn.number ?? placeOf.get(turn.id)!,
            session: tree.session,
            isHead: turn.id === tree.head,
          })),
        },
      ]
    })
  })
}

type Branch = TreeView['branches'][number]

/** Like `branchName`: the prompt at which the branch diverges, or `main` without forks. */
function nameOf(branch: Branch, own: Branch['turns'], { branches }: TreeView): string {
  if (branch.fork !== null) return brief(own[0]!.prompt, 40)
  const forks = new Set(branches.map(({ fork }) => fork))
  const apart = branch.current
    ? own.findLast((_, at) => at > 0 && forks.has(own[at - 1]!.id))
    : own.find(({ state }) => state === 'other')
  return apart === undefined ? branch.label : brief(apart.prompt, 40)
}

function depth(parents: ReadonlyMap<string, string | undefined>, session: string): number {
  let steps = 0
  for (let at = parents.get(session); at !== undefined && steps < 100; at = parents.get(at)) steps++
  return steps
}
