import type { SessionsView, TreeView } from '#protocol'
import { brief } from '../words.ts'

/** One turn in the graph. */
export interface GraphTurn extends Omit<TreeView['branches'][number]['turns'][number], 'state'> {
  readonly state: string
  readonly session: string
  readonly isHead: boolean
}

/** A branch with the turns that are its own; what it shares is another's. */
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

export interface Node {
  readonly turn: GraphTurn
  readonly lane: Lane
  readonly x: number
  readonly y: number
}

export interface Edge {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: Node
  /** Turns between the two that are not drawn. */
  readonly hidden: number
}

export interface Graph {
  readonly lanes: readonly { readonly lane: Lane; readonly y: number; readonly end: number }[]
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly width: number
  readonly height: number
}

type Session = SessionsView['sessions'][number]

/**
 * The branches of sessions as lanes. A session that was branched off another repeats the turns it
 * began with: they are drawn once, where they were first.
 */
export function lanesOf(trees: readonly TreeView[], sessions: readonly Session[]): Lane[] {
  const parents = new Map(sessions.map(({ id, parent }) => [id, parent?.session]))
  const order = [...trees].sort((a, b) => depth(parents, a.session) - depth(parents, b.session))
  const seen = new Set<string>()
  return order.flatMap((tree) => {
    const title = sessions.find(({ id }) => id === tree.session)?.title ?? 'Session'
    // With several sessions in one picture each has a branch that is called main.
    const within = (name: string): string =>
      trees.length > 1 ? `${brief(title, 32)} › ${name}` : name
    return tree.branches.flatMap((branch): Lane[] => {
      const own = branch.turns.filter(({ id }) => !seen.has(id))
      const shared = branch.turns.findLast(({ id }) => seen.has(id))
      for (const { id } of own) seen.add(id)
      if (own.length === 0) return []
      const isFirst = branch.fork === null
      const placeOf = new Map(branch.turns.map(({ id }, at) => [id, at + 1]))
      return [
        {
          id: `${tree.session} ${branch.id}`,
          session: tree.session,
          branch: branch.id,
          name: within(branch.name ?? (isFirst ? branch.label : brief(own[0]!.prompt, 40))),
          current: branch.current,
          archived: branch.archived,
          fork: shared?.id ?? branch.fork,
          turns: own.map((turn) => ({
            ...turn,
            // Off the current line a turn counts along its own branch, as in the window of branches.
            number: turn.number ?? placeOf.get(turn.id)!,
            session: tree.session,
            isHead: turn.id === tree.head,
          })),
        },
      ]
    })
  })
}

function depth(parents: ReadonlyMap<string, string | undefined>, session: string): number {
  let steps = 0
  for (let at = parents.get(session); at !== undefined && steps < 100; at = parents.get(at)) steps++
  return steps
}

/**
 * Places for everything. Branches that part later lie nearer to their own, so that no line crosses
 * another. With `every` each turn is drawn, else only where something happens: ends, forks, names,
 * and where the session stands.
 */
export function layOut(lanes: readonly Lane[], every: boolean): Graph {
  const forks = new Set(lanes.map(({ fork }) => fork))
  const places = new Map<string, Node>()
  const nodes: Node[] = []
  const edges: Edge[] = []
  const drawn: { lane: Lane; y: number; end: number }[] = []
  const below = Map.groupBy(lanes, ({ fork }) => fork)
  const waiting = new Set(lanes)

  const place = (lane: Lane): void => {
    waiting.delete(lane)
    const y = drawn.length
    const start = lane.fork === null ? undefined : places.get(lane.fork)
    const entry = { lane, y, end: 0 }
    drawn.push(entry)
    let last: Node | undefined = start
    let hidden = 0
    for (const [at, turn] of lane.turns.entries()) {
      const isEnd = at === 0 || at === lane.turns.length - 1
      if (!every && !isEnd && !isTelling(turn, forks)) {
        hidden += 1
        continue
      }
      const x: number = (last?.x ?? -1) + 1 + (hidden > 0 ? 1 : 0)
      const node = { turn, lane, x, y }
      nodes.push(node)
      places.set(turn.id, node)
      if (last !== undefined) edges.push({ from: { x: last.x, y: last.y }, to: node, hidden })
      last = node
      hidden = 0
    }
    entry.end = last?.x ?? 0
    for (const turn of lane.turns.toReversed())
      for (const child of below.get(turn.id) ?? []) if (waiting.has(child)) place(child)
  }
  for (const lane of lanes) if (lane.fork === null && waiting.has(lane)) place(lane)
  // What parts from a turn that is not there begins anew.
  for (const lane of lanes) if (waiting.has(lane)) place(lane)
  return {
    lanes: drawn,
    nodes,
    edges,
    width: Math.max(0, ...nodes.map(({ x }) => x)) + 1,
    height: drawn.length,
  }
}

function isTelling({ id, isHead, checkpoints }: GraphTurn, forks: ReadonlySet<string | null>) {
  return isHead || checkpoints.length > 0 || forks.has(id)
}
