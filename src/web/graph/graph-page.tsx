import { useQueries } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { client, failureFrom } from '../connection/connection.ts'
import { useSessions, useTurns } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { Choice } from '../ui/choice.tsx'
import { directoryName } from '../words.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { GraphList } from './graph-list.tsx'
import { ROW } from './graph-row.tsx'
import { lanesOf } from './lanes.ts'
import { layOut, type Node, type Row } from './lay-out.ts'
import { Legend } from './legend.tsx'
import { NodeCard } from './node-card.tsx'
import { NoSession, ViewHeader } from '../time/time-frame.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'

const route = getRouteApi('/graph')
/** A graph of more sessions is unreadable; the newest are shown. */
const MAX_SESSIONS = 24
/** Turns whose files are loaded, for each other session of the project. */
const MAX_LOADED = 60
const SCOPES = { session: 'This session', project: 'Whole project' } as const
const DETAIL = { forks: 'Forks only', every: 'Every turn' } as const
const VIEWS = { graph: 'Graph', list: 'List' } as const

/** All branches of a session, or of a whole project, in one graph. */
export function GraphPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Graph" />
  return <SessionGraph key={session} session={session} />
}

function SessionGraph({ session }: { session: string }) {
  const [scope, setScope] = useState<keyof typeof SCOPES>('session')
  const [chosenDetail, setDetail] = useState<keyof typeof DETAIL | null>(null)
  const [view, setView] = useState<keyof typeof VIEWS>('graph')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<string | null>(null)
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const room = useHeight(frame)
  const sessions = useSessions().data?.sessions ?? []
  const own = sessions.find(({ id }) => id === session)
  const asked =
    scope === 'session'
      ? [session]
      : sessions
          .filter(({ project }) => project === own?.project)
          .slice(0, MAX_SESSIONS)
          .map(({ id }) => id)
  const { trees, failed, retry } = useQueries({
    queries: asked.map((id) => ({
      queryKey: ['time', 'tree', id],
      queryFn: () => client().tree({ session: id }),
      retry: false,
    })),
    combine: (results) => ({
      trees: results.flatMap(({ data }) => data ?? []),
      failed: results.find(({ error }) => error !== null)?.error ?? null,
      retry: () => results.forEach(({ refetch }) => void refetch()),
    }),
  })
  const lanes = useMemo(() => lanesOf(trees, sessions), [trees, sessions])
  const whole = useMemo(() => layOut(lanes, false), [lanes])
  const folded = useMemo(() => layOut(lanes, true, opened), [lanes, opened])
  // A graph that fits is never folded.
  const mayFold = whole.rows.length * ROW > room && folded.rows.length < whole.rows.length
  const detail = mayFold || opened.size > 0 ? (chosenDetail ?? 'forks') : 'every'
  const graph = detail === 'every' ? whole : folded
  const facts = useFacts(session, asked)
  const unfold = useCallback((id: string) => {
    setOpened((now) => new Set(now).add(id))
    setChosen(id)
  }, [])
  const isTurn = (row: Row) => row.kind === 'turn'
  const turns = graph.rows.filter(isTurn)
  const node: Node | undefined =
    turns.find(({ turn }) => turn.id === chosen) ??
    turns.find(({ turn }) => turn.isHead && turn.session === session) ??
    turns[0]
  useKeyDown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (document.querySelector('dialog[open]') !== null) return
    if (event.target instanceof HTMLInputElement && event.target.type !== 'radio') return
    if (event.key === 'l') setView((now) => (now === 'list' ? 'graph' : 'list'))
  })
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader
        session={session}
        title={own?.title}
        name={`Graph${scope === 'project' ? ` of ${directoryName(own?.project ?? null)}` : ''}`}
      >
        <Choice legend="How much" of={SCOPES} value={scope} onChange={setScope} />
        {(mayFold || opened.size > 0) && (
          <Choice legend="Which turns" of={DETAIL} value={detail} onChange={setDetail} />
        )}
        <Choice legend="How it is shown" of={VIEWS} value={view} onChange={setView} />
      </ViewHeader>
      {failed !== null && (
        <div className="p-4">
          <Failed failure={failureFrom(failed)} onRetry={retry} />
        </div>
      )}
      {view === 'list' ? (
        <GraphList graph={graph} />
      ) : (
        <>
          <div className="px-5 py-2">
            <Legend />
          </div>
          <div ref={setFrame} className="flex min-h-0 flex-1 flex-col">
            <GraphDrawing
              graph={graph}
              chosen={node}
              facts={facts}
              onChoose={setChosen}
              onUnfold={unfold}
            />
          </div>
          {node !== undefined && <NodeCard node={node} home={session} />}
        </>
      )}
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}

function useHeight(element: HTMLElement | null): number {
  const [height, setHeight] = useState(Infinity)
  useEffect(() => {
    if (element === null) return
    const watch = new ResizeObserver(() => setHeight(element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [element])
  return height
}

/** How many files each turn changed, if known. */
function useFacts(
  session: string,
  asked: readonly string[],
): (turn: string) => { files: number } | undefined {
  const { log } = useTurns(session)
  const others = useQueries({
    queries: asked
      .filter((id) => id !== session)
      .map((id) => ({
        queryKey: ['time', 'facts', id],
        queryFn: () => client().turns({ session: id, limit: MAX_LOADED }),
        retry: false,
      })),
    combine: (results) => results.flatMap(({ data }) => data?.turns ?? []),
  })
  const known = useMemo(
    () =>
      new Map(
        [...others, ...(log?.turns ?? [])].map(({ id, files }) => [id, { files: files.length }]),
      ),
    [others, log],
  )
  return useCallback((turn) => known.get(turn), [known])
}
