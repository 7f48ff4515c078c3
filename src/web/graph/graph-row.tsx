import { Flag, GitBranch, UnfoldVertical } from 'lucide-react'
import { memo, type CSSProperties } from 'react'
import { Badge } from '../ui/badge.tsx'
import { brief, clock, count } from '../words.ts'
import type { Row } from './lay-out.ts'

/** Height of a row in pixels. */
export const ROW = 34

/** What a turn's row shows besides its prompt, once loaded. */
export interface RowFacts {
  readonly files: number
}

interface TurnRowProps {
  readonly row: Extract<Row, { kind: 'turn' }>
  readonly style: CSSProperties
  readonly chosen: boolean
  readonly facts: RowFacts | undefined
  readonly onChoose: (turn: string) => void
}

const rowClass =
  'absolute inset-x-0 flex h-[34px] items-center gap-2.5 pr-5 text-left text-sm outline-offset-[-3px]'

export const TurnRow = memo(
  function TurnRow({ row, style, chosen, facts, onChoose }: TurnRowProps) {
    const { turn, tipOf } = row
    const isOut = turn.state !== 'active'
    return (
      <button
        type="button"
        data-row={turn.id}
        tabIndex={chosen ? 0 : -1}
        aria-pressed={chosen}
        onClick={() => onChoose(turn.id)}
        style={style}
        className={`${rowClass} ${chosen ? 'bg-accent-soft' : 'hover:bg-hover'}`}
      >
        <span className="sr-only">Turn </span>
        <span className="tabular w-7 shrink-0 text-right text-xs text-muted">{turn.number}</span>
        <span
          dir="auto"
          className={`min-w-0 truncate ${isOut ? 'text-muted' : ''} ${turn.isHead ? 'font-semibold' : ''}`}
        >
          {brief(turn.prompt, 160)}
        </span>
        {turn.isHead && <Badge tone="accent">you are here</Badge>}
        {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
        {turn.state === 'other' && <span className="sr-only">on another branch</span>}
        {turn.checkpoints.map((name) => (
          <span key={name} className="flex shrink-0 items-center gap-1 text-xs text-accent">
            <Flag size={11} aria-hidden />
            {name}
          </span>
        ))}
        <span className="flex-1" />
        {tipOf !== null && (
          <span className="flex max-w-48 min-w-0 shrink-0 items-center gap-1 text-xs text-muted max-sm:hidden">
            <GitBranch size={11} aria-hidden className="shrink-0" />
            <span className="truncate">{tipOf.name}</span>
            {tipOf.archived && ' (archived)'}
          </span>
        )}
        <span className="tabular w-14 shrink-0 text-right text-xs text-muted max-sm:hidden">
          {facts === undefined ? '' : facts.files === 0 ? '–' : count(facts.files, 'file')}
        </span>
        <time
          dateTime={turn.at ?? undefined}
          className="tabular w-24 shrink-0 text-right text-xs text-muted max-md:hidden"
        >
          {clock(turn.at)}
        </time>
      </button>
    )
  },
  (a, b) =>
    a.row === b.row &&
    a.chosen === b.chosen &&
    a.facts?.files === b.facts?.files &&
    a.onChoose === b.onChoose &&
    a.style.top === b.style.top &&
    a.style.paddingLeft === b.style.paddingLeft,
)

/** One row for a run of uneventful turns; a click shows them. */
export function FoldedRow({
  row,
  style,
  onUnfold,
}: {
  row: Extract<Row, { kind: 'fold' }>
  style: CSSProperties
  onUnfold: (id: string) => void
}) {
  return (
    <button
      type="button"
      data-row={row.id}
      tabIndex={-1}
      onClick={() => onUnfold(row.id)}
      style={style}
      className={`${rowClass} text-muted hover:bg-hover`}
    >
      <span className="flex w-7 shrink-0 justify-end">
        <UnfoldVertical size={13} aria-hidden />
      </span>
      <span className="text-xs">Show {count(row.hidden, 'turn')}</span>
    </button>
  )
}
