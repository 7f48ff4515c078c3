import { useQuery } from '@tanstack/react-query'
import { client } from '../connection/connection.ts'

/** Usage figures, counted here and sent nowhere. */
export function Figures() {
  const { data } = useQuery({
    queryKey: ['time', 'figures'],
    queryFn: () => client().figures({}),
    staleTime: 0,
    retry: false,
  })
  if (data === undefined) return <p className="text-sm text-muted">Counting…</p>
  const share = data.sessions === 0 ? 0 : Math.round((100 * data.sessionsMoved) / data.sessions)
  const rows: readonly (readonly [string, string])[] = [
    ['Sessions', data.sessions.toLocaleString('en')],
    ['of them with something undone, redone or rewound', `${share} %`],
    ['Branches per session', data.branchesPerSession?.toFixed(1) ?? 'not counted yet'],
    ['Operations', data.operations.toLocaleString('en')],
    ['of them failed and rolled back', data.operationsFailed.toLocaleString('en')],
  ]
  return (
    <>
      <dl className="overflow-hidden rounded-lg border border-line bg-surface text-sm">
        {rows.map(([name, value]) => (
          <div
            key={name}
            className="flex gap-3 px-3 py-1.5 not-first:border-t not-first:border-line"
          >
            <dt className="flex-1 text-muted">{name}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-muted">Counted on this machine. Never sent anywhere.</p>
    </>
  )
}
