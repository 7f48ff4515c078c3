import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { FileAtView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { Hidden } from '../ui/hidden.tsx'
import { CodeLines } from './code-lines.tsx'
import { PartDiff } from './part-diff.tsx'

interface FileThenProps {
  readonly session: string
  readonly file: number
  readonly path: string
  readonly turn: string
  readonly seq: number | undefined
  readonly view: 'was' | 'now'
}

const STATES: Record<Exclude<FileAtView['state'], 'file'>, string> = {
  absent: 'It did not exist.',
  symlink: 'A symbolic link, to',
  unknown: 'Its contents at that time are not known, or no longer stored.',
  binary: 'It is not text.',
  'too-large': 'It is too long to be shown here.',
}

/** A file at one moment: its text, or its diff to now. */
export function PastFile(props: FileThenProps) {
  // Dragging passes many moments; load only the one at which it rests.
  const { session, file, path, turn, seq, view } = useDeferredValue(props)
  const [revealed, setRevealed] = useState<string | null>(null)
  const isRevealed = revealed === path
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['time', 'file', session, file, turn, seq ?? null, isRevealed],
    queryFn: () =>
      client().fileAt({
        session,
        file: String(file),
        turn,
        ...(seq === undefined ? {} : { seq }),
        ...(isRevealed ? { reveal: 'yes' as const } : {}),
      }),
    staleTime: 2000,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const reveal = (): void => setRevealed(path)
  const diff = useMemo(() => ({ path, hunks: data?.hunks ?? null }), [path, data])
  if (error !== null && data === undefined)
    return (
      <div className="p-5">
        <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
      </div>
    )
  if (data === undefined) return <p className="px-5 py-3 text-sm text-muted">Reading…</p>
  return (
    <div aria-busy={isPlaceholderData} className="border-t border-line bg-sunken">
      {data.hidden ? (
        <Hidden onReveal={reveal} />
      ) : view === 'now' ? (
        <PartDiff
          key={`${file} ${turn}`}
          session={session}
          turn={turn}
          file={diff}
          parts={data.parts}
          unavailable={
            seq === undefined
              ? undefined
              : 'This is the middle of a turn. Go to its end, or to the turn before.'
          }
        />
      ) : data.state === 'file' ? (
        <CodeLines path={path} text={data.text ?? ''} />
      ) : (
        <p className="px-5 py-3 text-sm text-muted">
          {STATES[data.state]} {data.state === 'symlink' && data.text}
        </p>
      )}
    </div>
  )
}
