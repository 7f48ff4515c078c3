import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { TimeMenu } from './time-menu.tsx'

interface ViewHeaderProps {
  /** Undefined if the view is of no session, or of one not loaded yet. */
  readonly session: string | undefined
  readonly title: string | undefined
  readonly name: string
  /** The controls of this view. */
  readonly children?: ReactNode
}

/** The header of every view of a session: link back, name, and menu of the other views. */
export function ViewHeader({ session, title, name, children }: ViewHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-5 py-2.5">
      {session !== undefined && <BackToSession session={session} title={title} />}
      <h1 className="text-lg leading-8 font-semibold tracking-tight">{name}</h1>
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-x-3 gap-y-2 empty:hidden max-md:order-last max-md:basis-full max-md:justify-start">
        {children}
      </div>
      <span className={children === undefined ? 'flex-1' : 'flex-1 md:hidden'} />
      {session !== undefined && <TimeMenu session={session} />}
    </header>
  )
}

/** The link back to the session, with its title. */
function BackToSession({ session, title }: { session: string; title: string | undefined }) {
  return (
    <Link
      to="/s/$session"
      params={{ session }}
      className="flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden />
      <span className="max-w-40 truncate max-sm:sr-only">{title ?? 'Session'}</span>
    </Link>
  )
}

/** Shown if the URL names no session. */
export function NoSession({ view }: { view: string }) {
  return (
    <main className="p-10 text-center text-muted">
      <h1 className="mb-2 text-lg font-semibold text-ink">{view}</h1>
      Open a session, then choose {view} in its View menu.
    </main>
  )
}
