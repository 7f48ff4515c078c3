import { Fragment, memo, useMemo, type ReactNode } from 'react'
import type { HunksView } from '#protocol'
import { languageOf, Tokens, useTokens } from './highlight.tsx'
import { markLines } from './word-marks.ts'

type Hunk = NonNullable<HunksView['hunks']>[number]

const STYLES = {
  same: { row: '', mark: ' ', number: 'text-faint' },
  added: { row: 'bg-added-soft', mark: '+', number: 'text-added' },
  removed: { row: 'bg-removed-soft', mark: '−', number: 'text-removed' },
}
/** Longer changes are better read in an editor. */
const MAX_LINES = 600

interface DiffProps {
  readonly file: HunksView
  /** Content in front of each run of changed lines, such as a checkbox; runs count from 0. */
  readonly before?: (run: number) => ReactNode
}

/** A file's change, line by line. */
export const Diff = memo(function Diff({ file, before }: DiffProps) {
  if (file.hunks === null || file.hunks.length === 0) return <NoLines file={file} />
  return (
    <div
      role="region"
      aria-label={`Changes in ${file.path}`}
      tabIndex={0}
      className="overflow-x-auto font-mono text-xs leading-[1.55]"
    >
      <div className="inline-block min-w-full py-1">
        {file.hunks.map((hunk, at) => (
          <HunkLines
            key={at}
            hunk={hunk}
            language={languageOf(file.path)}
            first={at === 0}
            before={before}
            runs={file.hunks!.slice(0, at).reduce((sum, each) => sum + countRuns(each), 0)}
          />
        ))}
      </div>
    </div>
  )
})

/** Says why no lines of a file are shown. */
export function NoLines({ file: { hunks } }: { file: HunksView }) {
  return (
    <p className="px-3 py-2 text-xs text-muted">
      {hunks === null ? 'Not text, or one side is not known.' : 'No line differs.'}
    </p>
  )
}

function HunkLines({
  hunk,
  language,
  first,
  before,
  runs,
}: {
  hunk: Hunk
  language: string | null
  first: boolean
  before: DiffProps['before']
  /** Number of runs of changed lines before this hunk. */
  runs: number
}) {
  const { rows, left, right } = useMemo(() => numbered(hunk), [hunk])
  const marks = useMemo(() => markLines(hunk.lines), [hunk])
  const old = useTokens(left, language)
  const now = useTokens(right, language)
  return (
    <>
      {!first && (
        <div className="my-1 border-y border-dashed border-line px-3 py-0.5 text-faint select-none">
          ⋯ line {hunk.newFrom}
        </div>
      )}
      {rows.slice(0, MAX_LINES).map((shown, at) => {
        const { change, text, oldLine, newLine, oldAt, newAt } = shown
        const { row, mark, number } = STYLES[change]
        const tokens = change === 'removed' ? old?.[oldAt] : now?.[newAt]
        return (
          <Fragment key={at}>
            {shown.run !== null && before?.(runs + shown.run)}
            <div className={`flex ${row}`}>
              <span className={`w-11 shrink-0 pr-2 text-right select-none ${number}`}>
                {change === 'removed' ? oldLine : newLine}
              </span>
              <span className={`w-4 shrink-0 select-none ${number}`} aria-hidden>
                {mark}
              </span>
              <span className="pr-4 whitespace-pre">
                {change !== 'same' && <span className="sr-only">{change}: </span>}
                <Tokens line={tokens} plain={text.replace(/\r?\n$/, '')} marks={marks[at]} />
              </span>
            </div>
          </Fragment>
        )
      })}
      {rows.length > MAX_LINES && (
        <p className="px-3 py-1 text-muted">… {rows.length - MAX_LINES} more lines</p>
      )}
    </>
  )
}

interface Row {
  readonly change: keyof typeof STYLES
  readonly text: string
  readonly oldLine: number
  readonly newLine: number
  readonly oldAt: number
  readonly newAt: number
  /** Number of the run of changed lines that starts here, else null. */
  readonly run: number | null
}

function begins({ lines }: Hunk, at: number): boolean {
  return lines[at]!.change !== 'same' && (at === 0 || lines[at - 1]!.change === 'same')
}

function countRuns(hunk: Hunk): number {
  return hunk.lines.filter((_, at) => begins(hunk, at)).length
}

/** Each side is highlighted as a whole text: no grammar can parse a mix of both. */
function numbered(hunk: Hunk): { rows: Row[]; left: string; right: string } {
  const rows: Row[] = []
  const left: string[] = []
  const right: string[] = []
  let run = 0
  for (const [at, { change, text }] of hunk.lines.entries()) {
    const line = text.replace(/\r?\n$/, '')
    rows.push({
      change,
      text,
      oldLine: hunk.oldFrom + left.length,
      newLine: hunk.newFrom + right.length,
      oldAt: left.length,
      newAt: right.length,
      run: begins(hunk, at) ? run++ : null,
    })
    if (change !== 'added') left.push(line)
    if (change !== 'removed') right.push(line)
  }
  return { rows, left: left.join('\n'), right: right.join('\n') }
}
