import { Link } from '@tanstack/react-router'
import { Flag, GitBranch } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { brief, count } from '../words.ts'
import type { Lane } from './lanes.ts'
import type { Graph, Node } from './lay-out.ts'

/** The graph as a list of branches with their turns. */
export function GraphList({ graph }: { graph: Graph }) {
  const nodes = graph.lanes.flatMap((lane) => lane.turns.map((turn): Node => ({ turn, lane })))
  const byId = new Map(nodes.map((node) => [node.turn.id, node]))
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <ol aria-label="Branches" className="mx-auto flex max-w-3xl flex-col gap-5 p-6">
        {graph.lanes.map((lane) => (
          <LaneItem
            key={lane.id}
            lane={lane}
            from={lane.fork === null ? undefined : byId.get(lane.fork)}
          />
        ))}
      </ol>
    </div>
  )
}

function LaneItem({ lane, from }: { lane: Lane; from: Node | undefined }) {
  return (
    <li>
      <h2 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <GitBranch size={14} aria-hidden className="text-muted" />
        {lane.name}
        {lane.current && <Badge tone="accent">here</Badge>}
        {lane.archived && <Badge>archived</Badge>}
        <span className="font-normal text-muted">
          {count(lane.turns.length, 'turn')}
          {from !== undefined &&
            `, forks after turn ${from.turn.number ?? brief(from.turn.prompt, 30)}`}
        </span>
      </h2>
      <ol className="mt-1 border-l border-line pl-3">
        {lane.turns.map((turn) => (
          <li key={turn.id}>
            <Link
              to="/s/$session"
              params={{ session: turn.session }}
              search={{ turn: turn.id }}
              className="flex items-center gap-2.5 rounded-md px-2 py-1 text-sm hover:bg-hover"
            >
              <span className="tabular w-7 shrink-0 text-right text-xs text-muted">
                {turn.number}
              </span>
              <span className="min-w-0 flex-1 truncate">{brief(turn.prompt, 100)}</span>
              {turn.checkpoints.map((name) => (
                <span key={name} className="flex items-center gap-1 text-xs text-accent">
                  <Flag size={11} aria-hidden />
                  {name}
                </span>
              ))}
              {turn.isHead && <Badge tone="accent">you are here</Badge>}
              {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
            </Link>
          </li>
        ))}
      </ol>
    </li>
  )
}
