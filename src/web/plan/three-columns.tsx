import { TriangleAlert } from 'lucide-react'
import { memo, useId, useMemo } from 'react'
import type { VersionsView } from '#protocol'
import { languageOf, Tokens, useTokens } from '../turns/highlight.tsx'
import { count } from '../words.ts'
import { CodeLines } from '../scrub/code-lines.tsx'
import { differences, whyNoText, type Column, type Side } from './version-words.ts'
import { bothChanged, choiceLabel, type Choice } from './plan-words.ts'

type Block = NonNullable<VersionsView['blocks']>[number]
type Lines = Extract<Block, { kind: 'lines' }>
type Colours = Readonly<Record<Side, ReturnType<typeof useTokens>>>

/** Longer blocks are better read in an editor. */
const MAX_ROWS = 400

interface ThreeColumnsProps {
  readonly path: string
  readonly columns: readonly Column[]
  readonly blocks: readonly Block[]
  /** Who made the version `yours`; null for the user. */
  readonly who: string | null
  /** Called with the element of each conflict, by its number. */
  readonly mark: (place: number, element: HTMLElement | null) => void
  /** The choices for each conflict; null if only the whole file can be chosen. */
  readonly chooser: PlaceChooser | null
}

export interface PlaceChooser {
  readonly verb: string
  readonly chosen: (place: number) => Choice | null
  readonly choose: (place: number, choice: Choice) => void
}

/** The versions side by side and aligned; on narrow screens, one below the other in each block. */
export const ThreeColumns = memo(function ThreeColumns(props: ThreeColumnsProps) {
  const { path, columns, blocks, who, mark, chooser } = props
  const language = languageOf(path)
  const { texts, starts } = useMemo(() => joinLines(blocks), [blocks])
  const colours: Colours = {
    base: useTokens(texts.base, language),
    yours: useTokens(texts.yours, language),
    theirs: useTokens(texts.theirs, language),
  }
  // If one side lacks the file, every line is in conflict, and line numbers say nothing.
  const isMerged = columns.every(({ version }) => version.state === 'file')
  const conflicts = blocks.filter((block) => block.kind === 'lines' && block.change === 'conflict')
  return (
    <div className="font-mono text-xs leading-[1.55]">
      <Heads columns={columns} />
      {blocks.map((block, at) => {
        if (block.kind === 'skipped')
          return (
            <p
              key={at}
              className="border-y border-dashed border-line px-3 py-0.5 text-faint select-none"
            >
              ⋯ {count(block.lines, 'line')} that are the same in all
            </p>
          )
        const rows = (
          <BlockRows block={block} columns={columns} colours={colours} starts={starts[at]!} />
        )
        if (block.change !== 'conflict') return <div key={at}>{rows}</div>
        const place = conflicts.indexOf(block)
        return (
          <section
            key={at}
            tabIndex={-1}
            ref={(element) => mark(place, element)}
            aria-label={`Conflict ${place + 1} of ${conflicts.length}`}
            className="my-1 border-y border-l-4 border-y-warn-line border-l-warn -outline-offset-2"
          >
            <h3 className="flex flex-wrap items-center gap-x-2 bg-warn-soft px-2 py-1 font-sans text-xs">
              <span className="flex items-center gap-1.5 font-semibold text-warn">
                <TriangleAlert size={13} aria-hidden />
                Conflict {place + 1} of {conflicts.length}
              </span>
              {isMerged && (
                <span>{bothChanged(spanOf(block.yours), spanOf(block.theirs), who)}</span>
              )}
              {chooser !== null && <PlaceChoice place={place} chooser={chooser} />}
            </h3>
            {rows}
          </section>
        )
      })}
    </div>
  )
})

/** One of the versions, for this conflict alone. */
function PlaceChoice({ place, chooser }: { place: number; chooser: PlaceChooser }) {
  const name = useId()
  return (
    <span
      role="radiogroup"
      aria-label={`Choose for conflict ${place + 1}`}
      className="ml-auto flex flex-wrap gap-x-3"
    >
      {PLACE_CHOICES.map((choice) => (
        <label key={choice} className="flex cursor-pointer items-center gap-1">
          <input
            type="radio"
            name={name}
            checked={chooser.chosen(place) === choice}
            onChange={() => chooser.choose(place, choice)}
            className="accent-accent"
          />
          {choiceLabel(choice, chooser.verb)}
        </label>
      ))}
    </span>
  )
}

const PLACE_CHOICES = ['keep-mine', 'put-back', 'mark'] as const

function spanOf({ from, lines }: Lines['yours']): readonly [number, number] {
  return [from, from + lines.length - 1]
}

const WIDTHS = { 2: 'md:grid-cols-2', 3: 'md:grid-cols-3' } as const

function widthOf(columns: readonly Column[]): string {
  return columns.length === 2 ? WIDTHS[2] : WIDTHS[3]
}

/** The titles of the columns; on narrow screens each block repeats its own. */
function Heads({ columns }: { columns: readonly Column[] }) {
  return (
    <div
      className={`z-10 grid border-b border-line bg-surface font-sans max-md:py-1 md:sticky md:top-0 ${widthOf(columns)}`}
    >
      {columns.map((column, at) => (
        <div
          key={column.side}
          className={`px-3 py-1.5 max-md:py-0.5 ${at === 0 ? '' : 'md:border-l md:border-line'}`}
        >
          <ColumnName column={column} columns={columns} />
        </div>
      ))}
    </div>
  )
}

export function ColumnName({ column, columns }: { column: Column; columns: readonly Column[] }) {
  const said = [
    ...(column.version.state === 'absent' ? ['not there'] : []),
    ...differences(column, columns),
  ]
  return (
    <h3 className="text-xs font-semibold">
      {column.title}
      {column.side === 'theirs' && (
        <span className="font-normal text-muted"> · what the plan writes</span>
      )}
      {said.length > 0 && <span className="font-normal text-muted"> · {said.join(' · ')}</span>}
    </h3>
  )
}

/** The versions, if they cannot be compared line by line. */
export function NoText({ path, columns }: { path: string; columns: readonly Column[] }) {
  return (
    <div className={`grid ${widthOf(columns)}`}>
      {columns.map((column, at) => (
        <div
          key={column.side}
          className={`min-w-0 px-3 py-2.5 ${at === 0 ? '' : 'max-md:border-t max-md:border-line md:border-l md:border-line'}`}
        >
          <ColumnName column={column} columns={columns} />
          {column.version.text === null ? (
            <p className="mt-1 text-sm break-all">{whyNoText(column.version)}</p>
          ) : (
            <CodeLines path={path} text={column.version.text} name={column.title} />
          )}
        </div>
      ))}
    </div>
  )
}

const MARKS = {
  same: { mark: ' ', row: '', number: 'text-faint', says: '' },
  changed: { mark: '~', row: 'bg-accent-soft', number: 'text-accent', says: 'changed here: ' },
  conflict: { mark: '!', row: 'bg-warn-soft', number: 'text-warn', says: 'in conflict: ' },
} as const

function plainResultAt({ change }: Lines, side: Side): keyof typeof MARKS {
  if (change === 'same' || side === 'base') return 'same'
  if (change === 'conflict') return 'conflict'
  return change === 'both' || change === side ? 'changed' : 'same'
}

interface BlockRowsProps {
  readonly block: Lines
  readonly columns: readonly Column[]
  readonly colours: Colours
  readonly starts: Readonly<Record<Side, number>>
}

/** Renders one column after the other; on wide screens the grid puts them side by side. */
function BlockRows({ block, columns, colours, starts }: BlockRowsProps) {
  const longest = Math.max(...columns.map(({ side }) => block[side].lines.length))
  const rows = Math.min(longest, MAX_ROWS)
  const isSame = block.change === 'same'
  return (
    <>
      <div
        className={`md:grid md:grid-flow-col ${widthOf(columns)}`}
        style={{ gridTemplateRows: `repeat(${rows}, auto)` }}
      >
        {columns.map((column, at) => (
          <SideRows
            key={column.side}
            block={block}
            column={column}
            rows={rows}
            tokens={colours[column.side]}
            start={starts[column.side]}
            edge={at === 0 ? '' : 'md:border-l md:border-line'}
            // Screen readers and narrow screens get unchanged lines once.
            once={isSame && column.side !== 'yours'}
          />
        ))}
      </div>
      {longest > rows && (
        <p className="px-3 py-1 font-sans text-muted">… {longest - rows} more lines</p>
      )}
    </>
  )
}

interface SideRowsProps {
  readonly block: Lines
  readonly column: Column
  readonly rows: number
  readonly tokens: Colours[Side]
  readonly start: number
  readonly edge: string
  readonly once: boolean
}

function SideRows({ block, column, rows, tokens, start, edge, once }: SideRowsProps) {
  const { from, lines } = block[column.side]
  const { mark, row, number, says } = MARKS[plainResultAt(block, column.side)]
  const isSame = block.change === 'same'
  return (
    <div
      role="group"
      aria-label={column.title}
      aria-hidden={once || undefined}
      className={`md:contents ${once ? 'max-md:hidden' : ''}`}
    >
      {!isSame && (
        <p className="px-3 pt-1 font-sans text-2xs font-semibold text-muted md:hidden" aria-hidden>
          {column.title}
          {column.side === 'theirs' && ' · what “Restore the old version” writes'}
        </p>
      )}
      {lines.slice(0, rows).map((line, at) => (
        <div key={at} className={`flex min-w-0 ${edge} ${row}`}>
          <span className={`w-10 shrink-0 pr-1 text-right select-none ${number}`}>{from + at}</span>
          <span aria-hidden className={`w-4 shrink-0 text-center select-none ${number}`}>
            {mark}
          </span>
          <span className="min-w-0 pr-2 break-words whitespace-pre-wrap">
            <span className="sr-only">{says}</span>
            <Tokens line={tokens?.[start + at]} plain={line} />
          </span>
        </div>
      ))}
      {lines.length === 0 && !isSame && (
        <p className={`px-3 font-sans text-muted italic ${edge} ${row}`}>
          {says !== '' && <span className="sr-only">{says}</span>}
          no line here
        </p>
      )}
      {Array.from(
        { length: Math.max(0, rows - Math.max(lines.length, isSame ? 0 : 1)) },
        (_, at) => (
          <div key={at} aria-hidden className={`bg-hover/50 max-md:hidden ${edge}`} />
        ),
      )}
    </div>
  )
}

/** Each column as one text, for highlighting, and the line at which each block starts in it. */
function joinLines(blocks: readonly Block[]): {
  texts: Record<Side, string>
  starts: Record<Side, number>[]
} {
  const lines: Record<Side, string[]> = { base: [], yours: [], theirs: [] }
  const starts = blocks.map((block) => {
    const at = { base: lines.base.length, yours: lines.yours.length, theirs: lines.theirs.length }
    if (block.kind === 'lines')
      for (const side of ['base', 'yours', 'theirs'] as const)
        lines[side].push(...block[side].lines)
    return at
  })
  return {
    texts: {
      base: lines.base.join('\n'),
      yours: lines.yours.join('\n'),
      theirs: lines.theirs.join('\n'),
    },
    starts,
  }
}
