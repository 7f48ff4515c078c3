import { shortId } from '#timeline'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { CompareView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { useBranchesOf, useSessions, useTurns } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { brief } from '../words.ts'
import { CompareFiles } from './compare-files.tsx'
import { CompareTurns } from './compare-turns.tsx'
import { Figures } from './figures.tsx'
import { findEnds, type End } from './find-ends.ts'
import { SideActions } from './side-actions.tsx'
import { NoSession, ViewHeader } from '../time/time-frame.tsx'

const route = getRouteApi('/compare')

/** Two branches, turns or sessions side by side, from where they diverged. */
export function ComparePage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Compare" />
  return <Compare key={session} session={session} />
}

function Compare({ session }: { session: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [onlyFiles, setOnlyFiles] = useState(false)
  const { log, error: unread, retry } = useTurns(session)
  const branches = useBranchesOf(session, true).data
  const sessions = useSessions().data?.sessions ?? []
  const own = sessions.find(({ id }) => id === session)
  const { ends, a, b } = findEnds({ log, branches, sessions, session, asked: search })
  const ready = a !== undefined && b !== undefined
  const key = ['time', 'compare', session, a, b]
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: key,
    queryFn: () => client().compare({ session, a: a!, b: b! }),
    enabled: ready,
    staleTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const choose = (change: { a?: string; b?: string }): void =>
    void navigate({ search: (old) => ({ ...old, a: a!, b: b!, ...change }), replace: true })
  // Defaults follow the current branch: pin them in the URL, or a switch changes the comparison.
  const isSaid = search.a !== undefined && search.b !== undefined
  useEffect(() => {
    if (ready && !isSaid) choose({})
  })
  const failed = unread ?? (ready ? error : null)
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader session={session} title={own?.title} name="Compare">
        {ready && (
          <div className="flex min-w-0 flex-1 items-center gap-2 max-md:basis-full">
            <Pick label="First" ends={ends} value={a} onChange={(end) => choose({ a: end })} />
            <Button
              variant="quiet"
              size="icon"
              aria-label="Swap the sides"
              tip="Swap the sides"
              onClick={() => choose({ a: b, b: a })}
            >
              <ArrowLeftRight size={15} />
            </Button>
            <Pick label="Second" ends={ends} value={b} onChange={(end) => choose({ b: end })} />
          </div>
        )}
        <label className="flex items-center gap-2 text-sm text-muted">
          <input
            type="checkbox"
            checked={onlyFiles}
            onChange={(event) => setOnlyFiles(event.target.checked)}
            className="size-4 accent-accent"
          />
          only files
        </label>
      </ViewHeader>
      <div className="min-h-0 flex-1 overflow-y-auto" aria-busy={isPlaceholderData || !ready}>
        <div className="mx-auto flex max-w-6xl flex-col gap-6 p-6">
          {failed !== null && (
            <Failed
              failure={failureFrom(failed)}
              onRetry={() => (unread === null ? void refetch() : retry())}
            />
          )}
          {data !== undefined && failed === null && (
            <>
              <p className="text-sm text-muted">{forkWords(data)}</p>
              {!onlyFiles && (
                <>
                  <div className="grid grid-cols-2 gap-6 max-sm:gap-3">
                    {data.sides.map((side, at) => (
                      <SideActions
                        key={at}
                        side={side}
                        name={nameOf(ends, at === 0 ? a : b)}
                        home={session}
                        branches={branches}
                      />
                    ))}
                  </div>
                </>
              )}
              <CompareFiles
                view={data}
                names={[nameOf(ends, a), nameOf(ends, b)]}
                key={`${a} ${b}`}
                unhiding={{
                  key,
                  read: async () =>
                    (await client().compare({ session, a: a!, b: b!, reveal: 'yes' })).files,
                }}
              />
              {!onlyFiles && (
                <>
                  <CompareTurns sides={data.sides} />
                  <Figures sides={data.sides} />
                </>
              )}
            </>
          )}
        </div>
      </div>
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}

function forkWords({ fork }: CompareView): string {
  if (fork === null) return 'They have no turn in common.'
  const number = fork.number === null ? '' : ` ${fork.number}`
  return `Diverged after turn${number} “${brief(fork.prompt, 80)}”.`
}

function nameOf(ends: readonly End[], value: string | undefined): string {
  return (
    ends.find((end) => end.value === value)?.short ?? (value === undefined ? '' : shortId(value))
  )
}

function Pick({
  label,
  ends,
  value,
  onChange,
}: {
  label: string
  ends: readonly End[]
  value: string
  onChange: (value: string) => void
}) {
  const groups = Map.groupBy(ends, ({ group }) => group)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-60 min-w-0 rounded-md max-md:flex-1 border border-line-strong bg-surface px-2 text-sm"
    >
      {!ends.some((end) => end.value === value) && <option value={value}>{value}</option>}
      {[...groups].map(([group, list]) => (
        <optgroup key={group} label={group}>
          {list.map((end) => (
            <option key={end.value} value={end.value}>
              {end.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
