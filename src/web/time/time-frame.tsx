import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'

/** The way back from a view of a session, with what the session is called. */
export function BackToSession({ session, title }: { session: string; title: string | undefined }) {
  return (
    <Link
      to="/s/$session"
      params={{ session }}
      className="flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden />
      <span className="max-w-40 truncate">{title ?? 'Session'}</span>
    </Link>
  )
}

/** A view whose address names no session. */
export function NoSession({ view }: { view: string }) {
  return (
    <main className="p-10 text-center text-muted">
      <h1 className="mb-2 text-lg font-semibold text-ink">{view}</h1>
      Open a session, then choose {view} in its View menu.
    </main>
  )
}
