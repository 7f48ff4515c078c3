import { useQuery } from '@tanstack/react-query'
import { Check, Undo2 } from 'lucide-react'
import { useCallback, type ReactNode } from 'react'
import { wordsForSpan, type ChangedFileView, type HunksView } from '#protocol'
import { wordsForLeft } from '#timeline'
import { client, failureFrom, useIsUp } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { InlineCode } from '../plan/inline-code.tsx'
import { ask } from '../plan/planning.ts'
import { countLines } from '../turns/count-lines.ts'
import { Diff } from '../turns/diff.tsx'
import { FileLines, UnhidingFrom } from '../turns/file-lines.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FileRow, fileListStyle } from '../ui/file-row.tsx'
import { count } from '../words.ts'
import { useReviewed, type Reviewed } from './reviewed.ts'

/** The session's changes that are still in the files, each to keep or undo. */
export function SessionChanges({ session, blocked }: { session: string; blocked: string | null }) {
  const key = ['time', 'changes', session]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => client().changes({ session }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    retry: false,
  })
  const reviewed = useReviewed(session)
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <p className="text-sm text-muted">Comparing the files…</p>
  const { files, left } = data
  const open = files.filter((file) => !isKept(file, reviewed)).length
  return (
    <section aria-label="Changes of this session" className="flex flex-col gap-2.5">
      <h3 className="text-sm font-semibold">
        {files.length === 0
          ? 'No changes of this session are in the files'
          : `${count(files.length, 'file')} changed${open === 0 ? ', all kept' : open < files.length ? `, ${open} to review` : ''}`}
      </h3>
      {files.length > 0 && (
        <p className="text-xs text-muted">
          Only what the agent’s turns changed; your own edits are not listed and stay. <b>Keep</b>{' '}
          marks a change as reviewed in this browser. <b>Undo</b> shows the plan first.
        </p>
      )}
      {files.length > 0 && (
        <ul className={`bg-surface ${fileListStyle}`}>
          {files.map((file) => (
            <FileRow
              key={file.path}
              path={file.path}
              notes={<Notes file={file} kept={isKept(file, reviewed)} />}
              lines={countLines(file)}
              begins={files.length <= 2 && !isKept(file, reviewed)}
              actions={
                <FileActions session={session} file={file} reviewed={reviewed} blocked={blocked} />
              }
            >
              {() => (
                <UnhidingFrom
                  value={{
                    key,
                    read: async () => (await client().changes({ session, reveal: 'yes' })).files,
                  }}
                >
                  <Shown session={session} file={file} reviewed={reviewed} blocked={blocked} />
                </UnhidingFrom>
              )}
            </FileRow>
          ))}
        </ul>
      )}
      {left.map((each) => (
        <p key={wordsForLeft(each)} className="text-xs break-words text-muted">
          Not listed: <InlineCode text={wordsForLeft(each)} />
        </p>
      ))}
    </section>
  )
}

interface OfFile {
  readonly session: string
  readonly file: ChangedFileView
  readonly reviewed: Reviewed
  readonly blocked: string | null
}

function isKept({ key, parts }: ChangedFileView, reviewed: Reviewed): boolean {
  return reviewed.has(key) || (parts.length > 0 && parts.every((part) => reviewed.has(part.key)))
}

function Notes({ file, kept }: { file: ChangedFileView; kept: boolean }) {
  const turns = file.turns.flatMap(({ number }) => number ?? []).sort((a, b) => a - b)
  return (
    <span className="flex min-w-0 items-center gap-2 text-muted">
      {turns.length > 0 && (
        <span className="truncate">
          {turns.length === 1 ? 'turn' : 'turns'} {turns.join(', ')}
        </span>
      )}
      {file.conflict && <Badge tone="warn">you changed the same lines</Badge>}
      {file.hasOthersEdits && <Badge>your edits stay</Badge>}
      {kept && <Badge tone="added">kept</Badge>}
    </span>
  )
}

function FileActions({ session, file, reviewed, blocked }: OfFile) {
  const isUp = useIsUp()
  const kept = isKept(file, reviewed)
  const keys = [file.key, ...file.parts.map(({ key }) => key)]
  return (
    <Actions
      about={file.path}
      kept={kept}
      onKeep={() => (kept ? reviewed.remove(keys) : reviewed.add(keys))}
      unavailable={blocked ?? (isUp ? undefined : 'Retake is not connected.')}
      onUndo={() =>
        ask({ session, body: { verb: 'revert-files', files: [file.path] }, byKey: true })
      }
      undo={file.conflict ? 'Undo file…' : 'Undo file'}
    />
  )
}

interface ActionsProps {
  readonly about: string
  readonly kept: boolean
  readonly onKeep: () => void
  readonly onUndo: () => void
  readonly undo: string
  readonly unavailable: string | undefined
  readonly children?: ReactNode
}

function Actions({ about, kept, onKeep, onUndo, undo, unavailable, children }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-3 py-0.5 font-sans text-xs">
      {children}
      {children !== undefined && <span className="flex-1" />}
      <Button size="small" variant="quiet" aria-pressed={kept} onClick={onKeep}>
        <Check size={12} aria-hidden />
        {kept ? 'Kept' : 'Keep'}
        <span className="sr-only"> {about}</span>
      </Button>
      <Button size="small" unavailable={unavailable} onClick={onUndo}>
        <Undo2 size={12} aria-hidden />
        {undo}
        <span className="sr-only"> {about}</span>
      </Button>
    </div>
  )
}

/** The diff. In a file with several parts, each part has its own buttons. */
function Shown({ session, file, reviewed, blocked }: OfFile) {
  const isUp = useIsUp()
  const { path, parts } = file
  const before = useCallback(
    (run: number) => {
      const part = parts[run]
      if (part === undefined) return null
      const kept = reviewed.has(part.key)
      return (
        <div className="sticky left-0 mt-1 border-t border-line bg-surface pt-1">
          <Actions
            about={`change ${run + 1} in ${path}`}
            kept={kept}
            onKeep={() => (kept ? reviewed.remove([part.key]) : reviewed.add([part.key]))}
            unavailable={blocked ?? (isUp ? undefined : 'Retake is not connected.')}
            onUndo={() =>
              ask({
                session,
                body: { verb: 'revert-files', files: [path], parts: [part.key] },
                byKey: true,
              })
            }
            undo="Undo"
          >
            <span className="font-medium">
              Change {run + 1} of {parts.length}
            </span>
            <span className="text-muted">{wordsForSpan(part.now)}</span>
          </Actions>
        </div>
      )
    },
    [parts, path, session, reviewed, blocked, isUp],
  )
  const show = useCallback(
    ({ file: shown }: { file: HunksView }) => (
      <Diff file={shown} {...(parts.length > 1 ? { before } : {})} />
    ),
    [parts, before],
  )
  return <FileLines file={file} show={show} />
}
