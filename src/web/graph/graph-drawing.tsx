import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { useNavigate } from '@tanstack/react-router'
import { brief } from '../words.ts'
import type { Edge, Graph, Node } from './lay-out.ts'

export const STEP = 52
const LANE = 50
const MARGIN = 32
const R = 6.5
/** Room for the name behind a lane. */
const NAMES = 260

interface GraphDrawingProps {
  readonly graph: Graph
  readonly zoom: number
  readonly chosen: Node | undefined
  readonly onChoose: (turn: string) => void
}

const px = (x: number): number => MARGIN + x * STEP
const py = (y: number): number => MARGIN + y * LANE

/** The picture. Only what is in sight is drawn: a session can have ten thousand turns. */
export function GraphDrawing({ graph, zoom, chosen, onChoose }: GraphDrawingProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const sight = useSight(scroller)
  const [from, to] = [sight.from / zoom / STEP - 3, sight.to / zoom / STEP + 3]
  const nodes = graph.nodes.filter(({ x }) => x >= from && x <= to)
  const edges = graph.edges.filter((edge) => edge.to.x >= from && edge.from.x <= to)
  const width = (graph.width * STEP + MARGIN * 2 + NAMES) * zoom
  const height = (graph.height * LANE + MARGIN) * zoom
  const focus = useRef(false)
  useShow(scroller, chosen, zoom)
  useEffect(() => {
    if (!focus.current) return
    focus.current = false
    scroller.current
      ?.querySelector<SVGElement>(`[data-node="${CSS.escape(chosen?.turn.id ?? '')}"]`)
      ?.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter')
      return void navigate({
        to: '/s/$session',
        params: { session: chosen.turn.session },
        search: { turn: chosen.turn.id },
      })
    const next = beside(graph, chosen, event.key)
    if (next === undefined) return
    event.preventDefault()
    focus.current = true
    onChoose(next.turn.id)
  }
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Graph of turns"
      tabIndex={-1}
      className="min-h-0 flex-1 overflow-auto"
    >
      <svg
        role="group"
        aria-label="Turns; the arrow keys go from one to the next, Enter opens it"
        width={width}
        height={height}
        viewBox={`0 0 ${width / zoom} ${height / zoom}`}
        onKeyDown={onKeyDown}
      >
        {edges.map((edge) => (
          <EdgeLine key={`${edge.to.turn.id} ${edge.from.x} ${edge.from.y}`} edge={edge} />
        ))}
        {nodes.map((node) => (
          <NodeDot
            key={`${node.turn.session} ${node.turn.id}`}
            node={node}
            chosen={node === chosen}
            onChoose={onChoose}
          />
        ))}
        {graph.lanes
          .filter(({ end }) => end >= from && end <= to)
          .map(({ lane, y, end }) => (
            <text
              key={lane.id}
              x={px(end) + 18}
              y={py(y) + 4}
              className={`text-xs ${lane.current ? 'fill-ink font-semibold' : 'fill-muted'}`}
            >
              {lane.name}
              {lane.archived ? ' (archived)' : ''} · {lane.turns.length}
            </text>
          ))}
      </svg>
    </div>
  )
}

function EdgeLine({ edge: { from, to, hidden } }: { edge: Edge }) {
  const isBack = to.turn.state !== 'active'
  const look = to.turn.state === 'active' ? 'stroke-accent' : 'stroke-line-strong'
  const [x1, y1, x2, y2] = [px(from.x), py(from.y), px(to.x), py(to.y)]
  const path =
    y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}V${y2 - 12}Q${x1} ${y2} ${x1 + 12} ${y2}H${x2}`
  return (
    <>
      <path
        d={path}
        fill="none"
        strokeWidth={2}
        strokeDasharray={hidden > 0 || isBack ? '3 4' : undefined}
        className={look}
      />
      {hidden > 0 && (
        <text
          x={y1 === y2 ? (x1 + x2) / 2 : x2 - STEP}
          y={y2 - 8}
          textAnchor="middle"
          className="fill-muted text-2xs"
        >
          {hidden}
        </text>
      )}
    </>
  )
}

function NodeDot({
  node,
  chosen,
  onChoose,
}: {
  node: Node
  chosen: boolean
  onChoose: (turn: string) => void
}) {
  const { turn, lane } = node
  const [x, y] = [px(node.x), py(node.y)]
  const dot = turn.isHead
    ? 'fill-accent stroke-accent'
    : turn.state === 'active'
      ? 'fill-surface stroke-accent'
      : 'fill-surface stroke-line-strong'
  return (
    <g
      role="button"
      tabIndex={chosen ? 0 : -1}
      data-node={turn.id}
      aria-pressed={chosen}
      aria-label={labelOf(node)}
      onClick={() => onChoose(turn.id)}
      onFocus={() => !chosen && onChoose(turn.id)}
      className="group/node cursor-pointer outline-none"
    >
      <title>{`${turn.number ?? ''} ${brief(turn.prompt, 120)} (${lane.name})`}</title>
      <circle cx={x} cy={y} r={16} fill="transparent" />
      {chosen && (
        <circle
          cx={x}
          cy={y}
          r={R + 5}
          fill="none"
          strokeWidth={2}
          className="stroke-accent-line group-focus-visible/node:stroke-accent"
        />
      )}
      <circle
        cx={x}
        cy={y}
        r={R}
        data-here={turn.isHead || undefined}
        strokeWidth={2}
        strokeDasharray={turn.state === 'active' ? undefined : '3 2'}
        className={dot}
      />
      {turn.checkpoints.length > 0 && (
        <path d={`M${x - 1} ${y - 10}v-12h9l-2.5 3.5 2.5 3.5h-7.5v5z`} className="fill-accent" />
      )}
    </g>
  )
}

const STATES: Record<string, string> = { undone: ', undone', other: ', on another branch' }

function labelOf({ turn, lane }: Node): string {
  const named = turn.checkpoints.length === 0 ? '' : `, checkpoint ${turn.checkpoints.join(', ')}`
  const here = turn.isHead ? ', the session stands here' : ''
  return `Turn ${turn.number ?? ''}${STATES[turn.state] ?? ''}${here}${named}: ${brief(turn.prompt, 80)}. Branch ${lane.name}`
}

/** Along the branch, and up and down to the nearest turn of the next one. */
function beside({ nodes, height }: Graph, { x, y, lane }: Node, key: string): Node | undefined {
  const own = nodes.filter((node) => node.lane === lane)
  const at = own.findIndex((node) => node.x === x)
  switch (key) {
    case 'ArrowRight':
      return own[at + 1]
    case 'ArrowLeft':
      return own[at - 1] ?? nodes.find(({ turn }) => turn.id === lane.fork)
    case 'Home':
      return own[0]
    case 'End':
      return own.at(-1)
    case 'ArrowDown':
    case 'ArrowUp': {
      const row = y + (key === 'ArrowDown' ? 1 : -1)
      if (row < 0 || row >= height) return undefined
      const others = nodes.filter((node) => node.y === row)
      return others.reduce((best, node) =>
        Math.abs(node.x - x) < Math.abs(best.x - x) ? node : best,
      )
    }
    default:
      return undefined
  }
}

/** What part of the picture can be seen. */
function useSight(scroller: RefObject<HTMLDivElement | null>): { from: number; to: number } {
  const [sight, setSight] = useState({ from: 0, to: 4000 })
  useLayoutEffect(() => {
    const element = scroller.current!
    const look = (): void =>
      setSight({ from: element.scrollLeft, to: element.scrollLeft + element.clientWidth })
    look()
    const watch = new ResizeObserver(look)
    watch.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  return sight
}

/** The turn that is chosen is in sight, however far one went with the keys. */
function useShow(
  scroller: RefObject<HTMLDivElement | null>,
  chosen: Node | undefined,
  zoom: number,
): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null || chosen === undefined) return
    const [x, y] = [px(chosen.x) * zoom, py(chosen.y) * zoom]
    if (x < element.scrollLeft + 40 || x > element.scrollLeft + element.clientWidth - 80)
      element.scrollLeft = x - element.clientWidth / 2
    if (y < element.scrollTop + 20 || y > element.scrollTop + element.clientHeight - 20)
      element.scrollTop = y - element.clientHeight / 2
  }, [scroller, chosen, zoom])
}
