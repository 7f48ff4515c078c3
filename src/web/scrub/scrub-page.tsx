import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeftRight, FileClock } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { MomentsView } from '#protocol'
import { START } from '#timeline'
import { client, useIsUp } from '../connection/connection.ts'
import { FileHistory } from '../history/file-history.tsx'
import { ask } from '../plan/planning.ts'
import { Nothing, SessionView } from '../time/session-view.tsx'
import { NoSession } from '../time/time-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { PastFile } from './past-file.tsx'
import { Scrubber } from './scrubber.tsx'
import { FileList } from './file-list.tsx'
import { positionsOf, type Position } from './positions.ts'

const route = getRouteApi('/files')
const VIEWS = {
  was: 'As it was',
  now: 'Against now',
  lines: 'Who wrote it',
  versions: 'Versions',
} as const

/** The session's files at any moment. Viewing changes nothing; going there shows a plan. */
export function ScrubPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Files through time" />
  return <Files key={session} session={session} />
}

function Files({ session }: { session: string }) {
  const query = useQuery({
    queryKey: ['time', 'moments', session],
    queryFn: () => client().moments({ session }),
    staleTime: 0,
    retry: false,
  })
  return (
    <SessionView session={session} name="Files through time" query={query}>
      {(moments) =>
        moments.files.length === 0 ? (
          <Nothing>The turns of this session changed no files that Retake knows of.</Nothing>
        ) : (
          <Moments session={session} moments={moments} />
        )
      }
    </SessionView>
  )
}

function Moments({ session, moments }: { session: string; moments: MomentsView }) {
  const { file: named } = route.useSearch()
  const navigate = route.useNavigate()
  const isUp = useIsUp()
  const positions = useMemo(() => positionsOf(moments), [moments])
  const here = positions.findLastIndex(({ turn, isEnd }) => turn?.id === moments.head && isEnd)
  const [chosen, setChosen] = useState<number | null>(null)
  const [view, setView] = useState<keyof typeof VIEWS>('was')
  const place = Math.min(chosen ?? Math.max(0, here), positions.length - 1)
  const position = positions[place]!
  const found = moments.files.indexOf(named ?? '')
  const file = found === -1 ? firstFile(moments, position) : found
  const path = moments.files[file]!
  const offline = isUp ? undefined : 'Retake is not connected.'
  const turn = position.turn?.id ?? START
  return (
    <>
      <Scrubber positions={positions} place={place} here={here} onMove={setChosen}>
        <Button
          size="small"
          unavailable={
            !position.isEnd
              ? 'This is the middle of a turn. Go to its end, or to the turn before.'
              : place === here
                ? 'The session is here.'
                : offline
          }
          onClick={() => ask({ session, body: { verb: 'rewind', turn } })}
        >
          <ArrowLeftRight size={13} aria-hidden />
          Go there…
        </Button>
        <Button
          size="small"
          unavailable={position.isEnd ? offline : 'You can only restore to the end of a turn.'}
          onClick={() => ask({ session, body: { verb: 'restore', files: [path], at: turn } })}
        >
          <FileClock size={13} aria-hidden />
          Restore this file…
        </Button>
      </Scrubber>
      <div className="grid min-h-0 flex-1 grid-cols-1 grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[17rem_minmax(0,1fr)] md:grid-rows-1">
        <FileList
          moments={moments}
          position={position}
          file={file}
          onChoose={(next) =>
            void navigate({ search: (old) => ({ ...old, file: next }), replace: true })
          }
        />
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="flex flex-wrap items-center gap-3 px-5 py-2.5">
            <h2 className="min-w-0 flex-1 truncate font-mono text-sm max-sm:basis-full">{path}</h2>
            <Choice legend="What is shown of the file" of={VIEWS} value={view} onChange={setView} />
          </div>
          <div className="min-h-0 flex-1 overflow-auto">
            {view === 'was' || view === 'now' ? (
              <PastFile
                session={session}
                file={file}
                path={path}
                turn={turn}
                seq={position.isEnd ? undefined : position.seq}
                view={view}
              />
            ) : (
              <FileHistory session={session} file={file} path={path} view={view} />
            )}
          </div>
        </div>
      </div>
    </>
  )
}

/** The file that changed at this moment, else the first. */
function firstFile({ files }: MomentsView, { path }: Position): number {
  return Math.max(0, path === undefined ? 0 : files.indexOf(path))
}
