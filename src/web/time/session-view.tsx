import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureFrom } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { ViewHeader } from './time-frame.tsx'

interface SessionViewProps<Data> {
  readonly session: string
  readonly name: string
  /** Buttons in the header. */
  readonly actions?: ReactNode
  readonly query: UseQueryResult<Data>
  /** Rendered once the data is loaded. */
  readonly children: (data: Data) => ReactNode
}

/** A view of one session: its header, the data or why it is missing, and plan dialogs. */
export function SessionView<Data>({
  session,
  name,
  actions,
  query,
  children,
}: SessionViewProps<Data>) {
  const own = useSessions().data?.sessions.find(({ id }) => id === session)
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader session={session} title={own?.title} name={name}>
        {actions}
      </ViewHeader>
      <NotRead query={query} />
      {query.data !== undefined && children(query.data)}
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}

/** Shown if the view cannot be loaded. Data that was loaded before stays if a reload fails. */
export function NotRead({ query: { data, error, refetch } }: { query: UseQueryResult }) {
  if (error === null || data !== undefined) return null
  return (
    <div className="mx-auto w-full max-w-lg p-8">
      <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
    </div>
  )
}

/** The text of an empty view. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="p-10 text-center text-muted">{children}</p>
}
