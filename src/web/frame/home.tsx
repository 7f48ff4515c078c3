import { useAgent } from '../connection/agents.ts'
import { Link } from '@tanstack/react-router'
import { ArrowRight, GitBranch, History, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { failureFrom } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { HooksDialog } from '../settings/hooks-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ago, brief, count, directoryName } from '../words.ts'
import { Logo } from './logo.tsx'
import { RecentlyUndone } from './recently-undone.tsx'

export function Home() {
  const { data, error, refetch } = useSessions()
  if (error !== null && data === undefined)
    return (
      <main className="mx-auto max-w-lg p-10">
        <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
      </main>
    )
  if (data === undefined) return <main aria-busy="true" />
  return data.sessions.length === 0 ? <FirstRun /> : <Recent />
}

/** Shown without sessions: what Retake is, and how to try it. */
function FirstRun() {
  const { name } = useAgent()
  const [hooks, setHooks] = useState(false)
  return (
    <main className="flex h-full items-center justify-center overflow-y-auto p-6">
      <div className="max-w-xl animate-appear">
        <Logo size={40} />
        <h1 className="mt-5 text-xl font-semibold tracking-tight">
          Undo, redo and branches for coding-agent sessions
        </h1>
        <p className="mt-2 text-muted">
          Retake reads the transcripts that {name} writes. Work as always: every prompt becomes a
          turn here that you can undo, with its files, and redo.
        </p>
        <ul className="mt-6 flex flex-col gap-3">
          <Point icon={History} title="Back to any prompt">
            Conversation and files together, or one of them. A plan is shown before anything moves.
          </Point>
          <Point icon={GitBranch} title="Nothing is thrown away">
            What you undo stays, as turns to redo or as another try to switch to.
          </Point>
          <Point icon={ShieldCheck} title="Your own edits stay yours">
            Undo reverses only the agent’s changes. Where both changed the same lines, you decide.
          </Point>
        </ul>
        <div className="mt-7 rounded-lg border border-accent-line bg-accent-soft p-4 text-sm">
          <p className="font-medium">Next step: install the hooks</p>
          <p className="mt-1 text-muted">
            They let undo cover what shell commands change. You see what is written first.
          </p>
          <Button variant="primary" className="mt-3" onClick={() => setHooks(true)}>
            Install hooks…
          </Button>
        </div>
        <p className="mt-3 text-sm text-muted">
          Then start {name} in a project; its session appears here. To try everything on a recorded
          session first, run <code className="font-mono text-xs">retake demo</code>
          <CopyButton text="retake demo" what="command" className="ml-1 align-middle" />
        </p>
        {hooks && <HooksDialog act="install" onClose={() => setHooks(false)} />}
      </div>
    </main>
  )
}

function Point({
  icon: Icon,
  title,
  children,
}: {
  icon: typeof History
  title: string
  children: string
}) {
  return (
    <li className="flex gap-3">
      <Icon size={18} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <p>
        <span className="font-medium">{title}.</span> <span className="text-muted">{children}</span>
      </p>
    </li>
  )
}

function Recent() {
  const sessions = (useSessions().data?.sessions ?? []).filter(({ archived }) => !archived)
  const recent = sessions.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, 8)
  const projects = new Set(sessions.map(({ project }) => project)).size
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl px-6 py-14">
        <div className="flex items-start gap-4">
          <div className="min-w-0 flex-1">
            <h1 className="text-xl font-semibold tracking-tight">Pick up where you were</h1>
            <p className="mt-1 text-muted">
              {count(sessions.length, 'session')} in {count(projects, 'project')} on this machine
            </p>
          </div>
          <Link
            to="/new"
            className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md bg-accent px-3 text-sm font-medium text-accent-ink shadow-low hover:bg-accent-hover"
          >
            <Plus size={15} aria-hidden />
            New session
          </Link>
        </div>
        <ul className="mt-6 overflow-hidden rounded-xl border border-line bg-surface shadow-low">
          {recent.map(({ id, title, project, turns, updatedAt }) => (
            <li key={id} className="not-first:border-t not-first:border-line">
              <Link
                to="/s/$session"
                params={{ session: id }}
                className="group/recent flex items-center gap-4 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{brief(title, 90)}</span>
                  <span className="tabular block truncate text-xs text-muted">
                    {directoryName(project)}
                    {turns !== null && ` · ${count(turns, 'turn')}`}
                  </span>
                </span>
                <span className="text-xs text-muted">{ago(updatedAt)}</span>
                <ArrowRight
                  size={15}
                  aria-hidden
                  className="text-faint transition-transform group-hover/recent:translate-x-0.5"
                />
              </Link>
            </li>
          ))}
        </ul>
        <RecentlyUndone sessions={sessions} />
      </div>
    </main>
  )
}
