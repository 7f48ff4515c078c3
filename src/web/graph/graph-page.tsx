import { useQueries } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Maximize, Minus, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { client, failureFrom } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { directoryName } from '../words.ts'
import { GraphDrawing, STEP } from './graph-drawing.tsx'
import { GraphList } from './graph-list.tsx'
import { lanesOf, layOut, type Node } from './lay-out.ts'
import { Legend } from './legend.tsx'
import { NodeCard } from './node-card.tsx'
import { NoSession, ViewHeader } from '../time/time-frame.tsx'

const route = getRouteApi('/graph')
/** More sessions in one picture than this tell nobody anything; the newest are shown. */
const MOST_SESSIONS = 24
/** So many turns stand side by side in a window of usual width. */
const FITS = 14
const SCOPES = { session: 'This session', project: 'Whole project' } as const
const DETAIL = { forks: 'Forks only', every: 'Every turn' } as const
const LOOKS = { graph: 'Graph', list: 'List' } as const

/** All branches of a session, or of a project with several, in one picture. */
export function GraphPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Graph" />
  return <SessionGraph key={session} session={session} />
}

function SessionGraph({ session }: { session: string }) {
  const [scope, setScope] = useState<keyof typeof SCOPES>('session')
  const [chosenDetail, setDetail] = useState<keyof typeof DETAIL | null>(null)
  const [look, setLook] = useState<keyof typeof LOOKS>('graph')
  const [zoom, setZoom] = useState(1)
  const [chosen, setChosen] = useState<string | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const sessions = useSessions().data?.sessions ?? []
  const own = sessions.find(({ id }) => id === session)
  const asked =
    scope === 'session'
      ? [session]
      : sessions
          .filter(({ project }) => project === own?.project)
          .slice(0, MOST_SESSIONS)
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
  // What fits is not folded, unless somebody wants it so.
  const whole = useMemo(() => layOut(lanes, true), [lanes])
  const detail = chosenDetail ?? (whole.width <= FITS ? 'every' : 'forks')
  const graph = useMemo(
    () => (detail === 'every' ? whole : layOut(lanes, false)),
    [whole, lanes, detail],
  )
  const node: Node | undefined =
    graph.nodes.find(({ turn }) => turn.id === chosen) ??
    graph.nodes.find(({ turn }) => turn.isHead && turn.session === session) ??
    graph.nodes[0]
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]') !== null) return
      if (event.target instanceof HTMLInputElement && event.target.type !== 'radio') return
      if (event.key === 'l') setLook((now) => (now === 'list' ? 'graph' : 'list'))
      else if (event.key === '+') setZoom(larger)
      else if (event.key === '-') setZoom(smaller)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader
        session={session}
        title={own?.title}
        name={`Graph${scope === 'project' ? ` of ${directoryName(own?.project ?? null)}` : ''}`}
      >
        <Choice legend="How much" of={SCOPES} value={scope} onChange={setScope} />
        <Choice legend="Which turns" of={DETAIL} value={detail} onChange={setDetail} />
        <Choice legend="How it is shown" of={LOOKS} value={look} onChange={setLook} />
      </ViewHeader>
      {failed !== null && (
        <div className="p-4">
          <Failed failure={failureFrom(failed)} onRetry={retry} />
        </div>
      )}
      {look === 'list' ? (
        <GraphList graph={graph} />
      ) : (
        <>
          <div className="flex items-center gap-2 px-5 py-2">
            <Legend />
            <span className="flex-1" />
            <Button look="quiet" size="icon" aria-label="Smaller" onClick={() => setZoom(smaller)}>
              <Minus size={15} />
            </Button>
            <span
              className="tabular w-12 shrink-0 text-center whitespace-nowrap text-xs text-muted"
              aria-live="polite"
            >
              {Math.round(zoom * 100)} %
            </span>
            <Button look="quiet" size="icon" aria-label="Larger" onClick={() => setZoom(larger)}>
              <Plus size={15} />
            </Button>
            <Button
              look="quiet"
              size="icon"
              aria-label="Fit into the window"
              tip="Fit into the window"
              onClick={() => setZoom(fit(graph.width, frame.current))}
            >
              <Maximize size={15} />
            </Button>
          </div>
          <div ref={frame} className="flex min-h-0 flex-1 flex-col">
            <GraphDrawing graph={graph} zoom={zoom} chosen={node} onChoose={setChosen} />
          </div>
          {node !== undefined && <NodeCard node={node} home={session} />}
        </>
      )}
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}

function larger(zoom: number): number {
  return Math.min(2, zoom * 1.25)
}

function smaller(zoom: number): number {
  return Math.max(0.25, zoom / 1.25)
}

function fit(columns: number, frame: HTMLElement | null): number {
  const room = (frame?.clientWidth ?? 800) - 320
  return Math.min(2, Math.max(0.25, room / (columns * STEP)))
}
