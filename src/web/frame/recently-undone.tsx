import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Redo2, Undo2 } from 'lucide-react'
import type { SessionsView } from '#protocol'
import { client, useIsUp } from '../connection/connection.ts'
import { ask } from '../plan/planning.ts'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { Button, linkStyle } from '../ui/button.tsx'
import { ago, brief, count } from '../words.ts'

const SEARCHED = 40
const MAX_SHOWN = 3

/** Sessions in which turns are undone and can be redone, the newest first. */
export function RecentlyUndone({ sessions }: { sessions: SessionsView['sessions'] }) {
  const { data } = useQuery({
    queryKey: ['time', 'operations', null, SEARCHED],
    queryFn: () => client().operations({ limit: SEARCHED }),
    staleTime: 0,
    retry: false,
  })
  const moved = (data?.operations ?? []).filter(
    ({ state, receipt }) => state === 'done' && receipt.turnsUndone > 0,
  )
  const newest = [...Map.groupBy(moved, ({ session }) => session).values()]
    .map(([first]) => first!)
    .filter(({ session }) => sessions.some(({ id }) => id === session))
    .slice(0, MAX_SHOWN)
  const states = useQueries({
    queries: newest.map(({ session }) => ({
      queryKey: ['time', 'undo-state', session],
      queryFn: () => client().undoState({ session }),
      retry: false,
    })),
  })
  // Skip turns that were redone since, or left behind by another prompt.
  const undone = newest.flatMap((operation, at) => {
    const turns = states[at]?.data?.undone ?? 0
    return turns > 0 ? [{ operation, turns }] : []
  })
  const isUp = useIsUp()
  if (undone.length === 0) return null
  return (
    <section aria-label="Recently undone" className="mt-8">
      <h2 className="text-sm font-semibold">Recently undone</h2>
      <ul className="mt-2 overflow-hidden rounded-xl border border-dashed border-line-strong">
        {undone.map(({ operation: { session, at }, turns }) => (
          <li
            key={session}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 text-sm not-first:border-t not-first:border-line"
          >
            <Undo2 size={15} aria-hidden className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate max-sm:basis-4/5">
              {count(turns, 'turn')} in{' '}
              <span className="font-medium">
                {brief(sessions.find(({ id }) => id === session)?.title ?? '', 60)}
              </span>
            </span>
            <span className="text-xs text-muted">{ago(at)}</span>
            <Button
              size="small"
              unavailable={isUp ? undefined : 'Retake is not connected.'}
              onClick={() => ask({ session, body: { verb: 'redo', all: true } })}
            >
              <Redo2 size={13} aria-hidden />
              Redo…
            </Button>
            <Link to="/s/$session" params={{ session }} className={linkStyle('small')}>
              See
            </Link>
          </li>
        ))}
      </ul>
      <PlanDialogs project={null} />
    </section>
  )
}
