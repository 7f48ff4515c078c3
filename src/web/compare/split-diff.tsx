import { memo, useMemo } from 'react'
import type { HunksView } from '#protocol'
import { NoLines } from '../turns/diff.tsx'
import { languageOf, Tokens, useTokens } from '../turns/highlight.tsx'

type Hunk = NonNullable<HunksView['hunks']>[number]

interface Cell {
  readonly line: number
  /** Index among the lines of its side, to find its highlighted tokens. */
  readonly at: number
  readonly text: string
  readonly changed: boolean
}
type Pair = readonly [Cell | null, Cell | null]

const MAX_ROWS = 600

/** Both outcomes of a file side by side; a replaced line shares a row with its replacement. */
export const SplitDiff = memo(function SplitDiff({ file }: { file: HunksView }) {
  if (file.hunks === null || file.hunks.length === 0) return <NoLines file={file} />
  return (
    <div
      role="region"
      aria-label={`Both sides of ${file.path}`}
      tabIndex={0}
      className="overflow-x-auto py-1 font-mono text-xs leading-[1.55]"
    >
      {file.hunks.map((hunk, at) => (
        <SplitHunk key={at} hunk={hunk} language={languageOf(file.path)} first={at === 0} />
      ))}
    </div>
  )
})

function SplitHunk({
  hunk,
  language,
  first,
}: {
  hunk: Hunk
  language: string | null
  first: boolean
}) {
  const { pairs, left, right } = useMemo(() => pairUp(hunk), [hunk])
  const tokens = [useTokens(left, language), useTokens(right, language)] as const
  return (
    <>
      {!first && (
        <div className="my-1 border-y border-dashed border-line px-3 py-0.5 text-faint select-none">
          ⋯ line {hunk.newFrom}
        </div>
      )}
      {pairs.slice(0, MAX_ROWS).map((pair, row) => (
        <div key={row} className="grid grid-cols-2">
          {pair.map((cell, side) => (
            <SplitCell key={side} cell={cell} side={side as 0 | 1} tokens={tokens[side]} />
          ))}
        </div>
      ))}
      {pairs.length > MAX_ROWS && (
        <p className="px-3 py-1 text-muted">… {pairs.length - MAX_ROWS} more lines</p>
      )}
    </>
  )
}

const STYLES = [
  { row: 'bg-removed-soft', number: 'text-removed', says: 'only first: ' },
  { row: 'bg-added-soft', number: 'text-added', says: 'only second: ' },
] as const

function SplitCell({
  cell,
  side,
  tokens,
}: {
  cell: Cell | null
  side: 0 | 1
  tokens: ReturnType<typeof useTokens> | undefined
}) {
  const edge = side === 0 ? 'border-r border-line' : ''
  if (cell === null) return <div aria-hidden className={`bg-hover/50 ${edge}`} />
  const style = STYLES[side]
  return (
    <div className={`flex min-w-0 ${edge} ${cell.changed ? style.row : ''}`}>
      <span
        className={`w-10 shrink-0 pr-2 text-right select-none ${cell.changed ? style.number : 'text-faint'}`}
      >
        {cell.line}
      </span>
      <span className="min-w-0 pr-2 break-words whitespace-pre-wrap">
        {cell.changed && <span className="sr-only">{style.says}</span>}
        <Tokens line={tokens?.[cell.at]} plain={cell.text} />
      </span>
    </div>
  )
}

/** An unchanged line fills one row; the nth removed line shares a row with the nth added one. */
function pairUp(hunk: Hunk): { pairs: Pair[]; left: string; right: string } {
  const pairs: Pair[] = []
  const left: string[] = []
  const right: string[] = []
  let gone: Cell[] = []
  let come: Cell[] = []
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++)
      pairs.push([gone[at] ?? null, come[at] ?? null])
    gone = []
    come = []
  }
  for (const { change, text } of hunk.lines) {
    const plain = text.replace(/\r?\n$/, '')
    const changed = change !== 'same'
    const old: Cell = { line: hunk.oldFrom + left.length, at: left.length, text: plain, changed }
    const now: Cell = { line: hunk.newFrom + right.length, at: right.length, text: plain, changed }
    if (change !== 'added') left.push(plain)
    if (change !== 'removed') right.push(plain)
    if (change === 'removed') gone.push(old)
    else if (change === 'added') come.push(now)
    else {
      flush()
      pairs.push([old, now])
    }
  }
  flush()
  return { pairs, left: left.join('\n'), right: right.join('\n') }
}
