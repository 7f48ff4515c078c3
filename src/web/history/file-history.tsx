import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { FileHistoryView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { Hidden } from '../ui/hidden.tsx'
import { CodeLines } from '../scrub/code-lines.tsx'
import { Badge, Lines } from '../ui/badge.tsx'
import { brief, clock, count } from '../words.ts'

type Version = FileHistoryView['versions'][number]

interface FileHistoryProps {
  readonly session: string
  readonly file: number
  readonly path: string
  readonly view: 'lines' | 'versions'
}

/** Every version of a file with its author, or every line with the turn that wrote it. */
export function FileHistory({ session, file, path, view }: FileHistoryProps) {
  const [revealed, setRevealed] = useState<string | null>(null)
  const isRevealed = revealed === path
  const { data, error, refetch } = useQuery({
    queryKey: ['time', 'history', session, file, isRevealed],
    queryFn: () =>
      client().fileHistory({
        session,
        file: String(file),
        ...(isRevealed ? { reveal: 'yes' as const } : {}),
      }),
    staleTime: 0,
    retry: false,
  })
  if (error !== null && data === undefined)
    return (
      <div className="p-5">
        <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
      </div>
    )
  if (data === undefined) return <p className="px-5 py-3 text-sm text-muted">Reading…</p>
  if (view === 'lines' && data.hidden) return <Hidden onReveal={() => setRevealed(path)} />
  return view === 'lines' ? (
    <WrittenLines history={data} session={session} path={path} />
  ) : (
    <Versions history={data} session={session} />
  )
}

const BY: Record<string, string> = {
  operation: 'Retake',
  git: 'git',
  outside: 'you, or a program of yours',
  shared: 'several at once',
  unsure: 'not sure who changed it',
  turn: 'a turn of another session',
}

function Versions({ history, session }: { history: FileHistoryView; session: string }) {
  return (
    <ol aria-label="Versions" className="border-t border-line">
      {history.versions.toReversed().map((version) => (
        <li
          key={version.seq}
          className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-5 py-2 text-sm"
        >
          <span className="tabular w-28 shrink-0 text-xs text-muted">{clock(version.at)}</span>
          <span className="min-w-0 flex-1 truncate">
            <Author version={version} session={session} />
          </span>
          {version.change !== 'modified' && <Badge>{version.change}</Badge>}
          <Lines added={version.added} removed={version.removed} />
        </li>
      ))}
    </ol>
  )
}

function Author({ version, session }: { version: Version; session: string }) {
  const { turn, operation } = version
  const words = wordsForAuthor(version)
  const linkClass = 'text-accent underline underline-offset-2'
  if (turn !== null)
    return (
      <Link to="/s/$session" params={{ session }} search={{ turn: turn.id }} className={linkClass}>
        {words}
      </Link>
    )
  if (operation === null) return words
  return (
    <Link to="/operations" search={{ session, operation: String(operation) }} className={linkClass}>
      {words}
    </Link>
  )
}

function wordsForAuthor({ turn, operation, by }: Version): string {
  if (turn !== null)
    return `${turn.number === null ? 'another branch' : `turn ${turn.number}`}: ${brief(turn.prompt, 80)}`
  return operation === null ? (BY[by] ?? by) : `Retake, operation ${operation}`
}

/** Each line with the turn, and the prompt, that wrote it. */
function WrittenLines({
  history,
  session,
  path,
}: {
  history: FileHistoryView
  session: string
  path: string
}) {
  const bySeq = useMemo(
    () => new Map(history.versions.map((version) => [version.seq, version])),
    [history],
  )
  const { lines } = history
  const before = useCallback(
    (at: number) => {
      const from = lines?.[at]?.from
      const isFirst = at === 0 || lines?.[at - 1]?.from !== from
      return (
        <span
          title={wordsForOrigin(from, bySeq)}
          className="w-60 shrink-0 truncate max-sm:w-28 border-r border-line px-3 font-sans text-muted"
        >
          {isFirst && <Origin from={from} bySeq={bySeq} session={session} />}
        </span>
      )
    },
    [lines, bySeq, session],
  )
  if (lines === null)
    return <p className="px-5 py-3 text-sm text-muted">It is not text, or too long.</p>
  return (
    <>
      <p className="px-5 pb-2 text-xs text-muted">
        The file as it is now, {count(lines.length, 'line')}; before each line, the turn that wrote
        it.
      </p>
      <div className="border-t border-line bg-sunken">
        <CodeLines path={path} text={lines.map(({ text }) => text).join('\n')} before={before} />
      </div>
    </>
  )
}

/** A tooltip for every line: only the first line of a run has the link. */
function wordsForOrigin(
  from: number | string | undefined,
  bySeq: ReadonlyMap<number, Version>,
): string {
  const version = typeof from === 'number' ? bySeq.get(from) : undefined
  if (version !== undefined) return wordsForAuthor(version)
  return from === 'before' ? 'there before' : 'changed since, outside any turn'
}

function Origin({
  from,
  bySeq,
  session,
}: {
  from: number | string | undefined
  bySeq: ReadonlyMap<number, Version>
  session: string
}) {
  const version = typeof from === 'number' ? bySeq.get(from) : undefined
  if (version !== undefined) return <Author version={version} session={session} />
  return wordsForOrigin(from, bySeq)
}
