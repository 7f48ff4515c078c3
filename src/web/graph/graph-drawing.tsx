import { useNavigate } from '@tanstack/react-router'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { FoldedRow, ROW, TurnRow, type RowFacts } from './graph-row.tsx'
import { findRow, idOf, type Edge, type Graph, type Node } from './lay-out.ts'

const COLUMN = 18
const MARGIN = 22
const R = 5.5
/** Rows rendered above and below the visible ones. */
const BEYOND = 6

interface GraphDrawingProps {
  readonly graph: Graph
  readonly chosen: Node | undefined
  readonly facts: (turn: string) => RowFacts | undefined
  readonly onChoose: (turn: string) => void
  /** Shows the turns of a fold. */
  readonly onUnfold: (id: string) => void
}

const px = (column: number): number => MARGIN + column * COLUMN
const py = (row: number): number => row * ROW + ROW / 2

/** One row per turn, newest on top. Renders only visible rows: a session can have ten thousand. */
export function GraphDrawing({ graph, chosen, facts, onChoose, onUnfold }: GraphDrawingProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const sight = useSight(scroller)
  const [from, to] = [Math.floor(sight.from / ROW) - BEYOND, sight.to / ROW + BEYOND]
  const gutter = px(graph.columns - 1) + MARGIN
  const focus = useRef<string | null>(null)
  const chosenRow = graph.rows.findIndex((row) => idOf(row) === chosen?.turn.id)
  useShow(scroller, chosenRow)
  useEffect(() => {
    const found = scroller.current?.querySelector<HTMLElement>(
      `[data-row="${CSS.escape(focus.current ?? '')}"]`,
    )
    if (found == null) return
    focus.current = null
    found.focus({ preventScroll: true })
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = document.activeElement?.getAttribute('data-row')
    if (here == null || event.ctrlKey || event.metaKey || event.altKey) return
    const row = graph.rows.find((each) => idOf(each) === here)
    if (event.key === 'Enter' && row?.kind === 'turn') {
      event.preventDefault()
      return void navigate({
        to: '/s/$session',
        params: { session: row.turn.session },
        search: { turn: row.turn.id },
      })
    }
    const next = findRow(graph, here, event.key)
    if (next === undefined) return
    event.preventDefault()
    focus.current = idOf(next)
    onChoose(idOf(next))
  }
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Graph of turns"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 overflow-auto py-2 outline-none"
    >
      <div className="relative" style={{ height: graph.rows.length * ROW }}>
        {graph.rows.slice(Math.max(0, from), to).map((row, offset) => {
          const style = { top: (Math.max(0, from) + offset) * ROW, paddingLeft: gutter }
          return row.kind === 'fold' ? (
            <FoldedRow key={`fold ${row.id}`} row={row} style={style} onUnfold={onUnfold} />
          ) : (
            <TurnRow
              key={`${row.turn.session} ${row.turn.id}`}
              row={row}
              style={style}
              chosen={row.turn.id === chosen?.turn.id}
              facts={facts(row.turn.id)}
              onChoose={onChoose}
            />
          )
        })}
        <svg
          aria-hidden
          width={gutter}
          height={graph.rows.length * ROW}
          className="pointer-events-none absolute top-0 left-0"
        >
          {graph.edges
            .filter((edge) => edge.to.row >= from && edge.from.row <= to)
            .map((edge) => (
              <EdgeLine key={`${edge.turn.session} ${edge.turn.id}`} edge={edge} />
            ))}
          {graph.rows.slice(Math.max(0, from), to).map((row, offset) => (
            <Dot key={idOf(row)} row={row} y={py(Math.max(0, from) + offset)} />
          ))}
        </svg>
      </div>
    </div>
  )
}

function EdgeLine({ edge: { from, to, turn, hidden } }: { edge: Edge }) {
  const [x1, y1, x2, y2] = [px(from.column), py(from.row), px(to.column), py(to.row)]
  const bend = Math.min(12, x1 - x2)
  return (
    <path
      d={
        x1 === x2
          ? `M${x1} ${y1}V${y2}`
          : `M${x1} ${y1}V${y2 - bend}Q${x1} ${y2} ${x1 - bend} ${y2}H${x2}`
      }
      fill="none"
      strokeWidth={2}
      strokeDasharray={hidden || turn.state !== 'active' ? '3 4' : undefined}
      className={turn.state === 'active' ? 'stroke-accent' : 'stroke-line-strong'}
    />
  )
}

function Dot({ row, y }: { row: Graph['rows'][number]; y: number }) {
  const x = px(row.column)
  if (row.kind === 'fold') return <circle cx={x} cy={y} r={2} className="fill-line-strong" />
  const { state, isHead } = row.turn
  return (
    <circle
      cx={x}
      cy={y}
      r={isHead ? R + 1 : R}
      data-here={isHead || undefined}
      strokeWidth={2}
      strokeDasharray={state === 'active' ? undefined : '3 2'}
      className={
        isHead
          ? 'fill-accent stroke-accent'
          : state === 'active'
            ? 'fill-surface stroke-accent'
            : 'fill-surface stroke-line-strong'
      }
    />
  )
}

/** The visible part of the drawing, in pixels. */
function useSight(scroller: RefObject<HTMLDivElement | null>): { from: number; to: number } {
  const [sight, setSight] = useState({ from: 0, to: 2000 })
  useLayoutEffect(() => {
    const element = scroller.current!
    const measure = (): void =>
      setSight({ from: element.scrollTop, to: element.scrollTop + element.clientHeight })
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return sight
}

/** Scrolls the chosen turn into view. */
function useShow(scroller: RefObject<HTMLDivElement | null>, row: number): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null || row === -1) return
    const y = row * ROW
    if (y < element.scrollTop || y > element.scrollTop + element.clientHeight - 2 * ROW)
      element.scrollTop = y - element.clientHeight / 2
  }, [scroller, row])
}
