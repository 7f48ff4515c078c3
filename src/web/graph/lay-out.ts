import type { GraphTurn, Lane } from './lanes.ts'

/** A turn and the lane that it belongs to. */
export interface Node {
  readonly turn: GraphTurn
  readonly lane: Lane
}

/** One row of the graph, newest on top: a turn, or a run of folded turns. */
export type Row =
  | (Node & {
      readonly kind: 'turn'
      readonly column: number
      /** The lane whose name is shown, on the newest turn of a chain. */
      readonly tipOf: Lane | null
    })
  | {
      readonly kind: 'fold'
      /** Id of the newest folded turn. */
      readonly id: string
      readonly hidden: number
      readonly column: number
      readonly lane: Lane
    }

/** From a turn down to its parent. */
export interface Edge {
  readonly from: { readonly row: number; readonly column: number }
  readonly to: { readonly row: number; readonly column: number }
  readonly turn: GraphTurn
  readonly hidden: boolean
}

export interface Graph {
  readonly lanes: readonly Lane[]
  readonly rows: readonly Row[]
  readonly edges: readonly Edge[]
  readonly columns: number
}

/** A straight run of turns from a fork, or from the first turn, to a tip. */
interface Chain {
  readonly nodes: readonly Node[]
  readonly parent: Chain | null
  /** The turn it forks from, if drawn. */
  readonly fork: string | null
}

/**
 * Lays out the graph: newest turn on top, the current line straight down at the left, and each
 * branch directly above its fork. `folded` hides runs of uneventful turns, except those whose
 * newest turn is in `opened`.
 */
export function layOut(
  lanes: readonly Lane[],
  folded: boolean,
  opened: ReadonlySet<string> = new Set(),
): Graph {
  const rows: (Omit<Exclude<Row, { kind: 'fold' }>, 'column'> | Omit<FoldRow, 'column'>)[] = []
  const chainOfRow: Chain[] = []
  const rowOf = new Map<string, number>()
  const spans = new Map<Chain, { top: number; bottom: number }>()
  const chains: Chain[] = []
  const { starts, below } = readChildren(lanes)

  const emit = (first: Node, parent: Chain | null, fork: string | null): void => {
    const { nodes, aside } = followLine(first, below)
    const chain: Chain = { nodes, parent, fork }
    chains.push(chain)
    const top = rows.length
    const add = (row: (typeof rows)[number]): void => {
      rows.push(row)
      chainOfRow.push(chain)
    }
    let run: Node[] = []
    const flush = (): void => {
      const [newest] = run
      // A fold of one turn is as tall as the turn itself.
      if (newest === undefined || run.length === 1 || opened.has(newest.turn.id))
        for (const node of run) addTurn(node)
      else add({ kind: 'fold', id: newest.turn.id, hidden: run.length, lane: newest.lane })
      run = []
    }
    const addTurn = (node: Node): void => {
      rowOf.set(node.turn.id, rows.length)
      add({ kind: 'turn', ...node, tipOf: node === nodes.at(-1) ? node.lane : null })
    }
    for (const [back, node] of nodes.toReversed().entries()) {
      const isEnd = back === 0 || back === nodes.length - 1
      const besides = aside.get(node.turn.id) ?? []
      const tells = isEnd || node.turn.isHead || node.turn.checkpoints.length > 0
      if (folded && !tells && besides.length === 0) {
        run.push(node)
        continue
      }
      flush()
      for (const child of besides) emit(child, chain, node.turn.id)
      addTurn(node)
    }
    spans.set(chain, { top, bottom: rows.length - 1 })
  }
  for (const start of starts) emit(start.node, null, start.fork)

  const columns = placeColumns(chains, spans, rowOf)
  const placed = rows.map((row, at): Row => ({ ...row, column: columns.get(chainOfRow[at]!)! }))
  return {
    lanes,
    rows: placed,
    edges: findEdges(chains, columns, rowOf),
    columns: Math.max(0, ...columns.values()) + 1,
  }
}

type FoldRow = Extract<Row, { kind: 'fold' }>

function readChildren(lanes: readonly Lane[]): {
  starts: { node: Node; fork: string | null }[]
  below: ReadonlyMap<string, readonly Node[]>
} {
  const known = new Set(lanes.flatMap(({ turns }) => turns.map(({ id }) => id)))
  const below = new Map<string, Node[]>()
  const starts: { node: Node; fork: string | null }[] = []
  for (const lane of lanes) {
    let parent = lane.fork
    for (const turn of lane.turns) {
      const node = { turn, lane }
      // A branch whose fork is missing has no parent.
      if (parent === null || !known.has(parent)) starts.push({ node, fork: null })
      else below.set(parent, [...(below.get(parent) ?? []), node])
      parent = turn.id
    }
  }
  return { starts, below }
}

/** Follows the children along the current line, else along the lane; `aside` has the others. */
function followLine(
  first: Node,
  below: ReadonlyMap<string, readonly Node[]>,
): { nodes: Node[]; aside: Map<string, readonly Node[]> } {
  const nodes: Node[] = []
  const aside = new Map<string, readonly Node[]>()
  for (let at: Node | undefined = first; at !== undefined;) {
    nodes.push(at)
    const { turn, lane }: Node = at
    const children: readonly Node[] = below.get(turn.id) ?? []
    const next: Node | undefined =
      children.find((each) => each.turn.state !== 'other' && each.turn.session === turn.session) ??
      children.find((each) => each.lane === lane) ??
      children[0]
    aside.set(
      turn.id,
      children.filter((each) => each !== next),
    )
    at = next
  }
  return { nodes, aside }
}

/** Puts each chain right of its parent, in the first column that is free along all of it. */
function placeColumns(
  chains: readonly Chain[],
  spans: ReadonlyMap<Chain, { top: number; bottom: number }>,
  rowOf: ReadonlyMap<string, number>,
): Map<Chain, number> {
  const columns = new Map<Chain, number>()
  const taken: { top: number; bottom: number }[][] = []
  for (const chain of chains) {
    const { top, bottom } = spans.get(chain)!
    const end = chain.fork === null ? bottom : rowOf.get(chain.fork)! - 1
    let column = chain.parent === null ? 0 : columns.get(chain.parent)! + 1
    while ((taken[column] ?? []).some((other) => other.top <= end && other.bottom >= top)) column++
    columns.set(chain, column)
    ;(taken[column] ??= []).push({ top, bottom: end })
  }
  return columns
}

function findEdges(
  chains: readonly Chain[],
  columns: ReadonlyMap<Chain, number>,
  rowOf: ReadonlyMap<string, number>,
): Edge[] {
  return chains.flatMap((chain) => {
    const column = columns.get(chain)!
    const edges: Edge[] = []
    let to =
      chain.fork === null || chain.parent === null
        ? undefined
        : { row: rowOf.get(chain.fork)!, column: columns.get(chain.parent)! }
    let hidden = false
    for (const { turn } of chain.nodes) {
      const row = rowOf.get(turn.id)
      if (row === undefined) {
        hidden = true
        continue
      }
      const from = { row, column }
      if (to !== undefined) edges.push({ from, to, turn, hidden })
      to = from
      hidden = false
    }
    return edges
  })
}

/** The id of a row: its turn, or the newest turn that it folds. */
export function idOf(row: Row): string {
  return row.kind === 'fold' ? row.id : row.turn.id
}

/** The row a key leads to: up and down by row, left and right by line. */
export function findRow(graph: Graph, from: string, key: string): Row | undefined {
  const { rows } = graph
  const at = rows.findIndex((row) => idOf(row) === from)
  const column = rows[at]?.column ?? 0
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1]
    case 'ArrowUp':
      return rows[at - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowLeft':
      return rows.find((row, place) => place > at && row.column < column)
    case 'ArrowRight':
      return rows.findLast((row, place) => place < at && row.column > column)
    default:
      return undefined
  }
}
