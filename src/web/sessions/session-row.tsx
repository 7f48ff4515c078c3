import { Link } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAgentMarks } from '../connection/agents.ts'
import { Badge } from '../ui/badge.tsx'
import { Tip } from '../ui/tip.tsx'
import { Chevron } from '../ui/fold-button.tsx'
import { ago, count } from '../words.ts'
import type { SessionView } from './arrange-sessions.ts'
import { useSelection } from './selection.ts'

interface SessionRowProps {
  readonly session: SessionView
  readonly level: number
  readonly current: boolean
  /** Its listed branches, if there are several, and the sessions branched off from it. */
  readonly branches: number
  /** It has something below it to fold. */
  readonly folds: boolean
  readonly open: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

export function SessionRow(props: SessionRowProps) {
  const { session, level, current, branches, folds, open, onToggle, children } = props
  const { id, title, turns, updatedAt, live, archived } = session
  const mark = useAgentMarks().get(session.agent)
  const isChosen = useSelection(({ ids }) => ids.has(id))
  return (
    <>
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={isChosen}
        data-session={id}
        aria-expanded={folds ? open : undefined}
        className={`group/row flex items-start gap-1 rounded-md pr-2 ${isChosen ? 'bg-accent-soft ring-1 ring-accent ring-inset' : current ? 'bg-accent-soft' : 'hover:bg-hover'}`}
        style={{ paddingLeft: indent(level) }}
      >
        {folds ? (
          <button
            type="button"
            data-toggle
            tabIndex={-1}
            aria-label={open ? 'Fold branches' : 'Show branches'}
            onClick={onToggle}
            className="mt-1.5 rounded p-0.5 text-faint hover:text-ink"
          >
            <Chevron open={open} />
          </button>
        ) : (
          <span className="flex w-4.25 justify-center pt-2.5">
            {level > 2 && <GitBranch size={11} aria-hidden className="text-faint" />}
          </span>
        )}
        <Link
          to="/s/$session"
          params={{ session: id }}
          data-session-link
          tabIndex={-1}
          aria-current={current ? 'page' : undefined}
          className="min-w-0 flex-1 rounded py-1.5"
        >
          <span className="flex items-center gap-1.5">
            <span
              dir="auto"
              className={`min-w-0 flex-1 truncate text-sm ${current ? 'font-medium' : ''}`}
            >
              {title}
            </span>
            {mark !== undefined && <Badge>{mark}</Badge>}
            {archived && <Badge>archived</Badge>}
            <Live state={live} />
          </span>
          <span className="tabular flex gap-1.5 text-2xs text-muted">
            {turns !== null && <span>{count(turns, 'turn')}</span>}
            {branches > 0 && (
              <span className="text-accent">{count(branches, 'branch', 'branches')}</span>
            )}
            <span className="flex-1" />
            <span>{ago(updatedAt)}</span>
          </span>
        </Link>
      </div>
      {folds && open && children}
    </>
  )
}

/** Left padding of a row of the tree, in pixels. */
export function indent(level: number): number {
  return 4 + (level - 2) * 14
}

function Live({ state }: { state: SessionView['live'] }) {
  if (state === null) return null
  return (
    <Tip text={state === 'busy' ? 'The agent is working' : 'Open in a terminal'}>
      <span
        role="img"
        aria-label={state === 'busy' ? 'The agent is working' : 'Open in a terminal'}
        className={`size-2 shrink-0 rounded-full bg-live ${state === 'busy' ? 'animate-breathe' : 'opacity-60'}`}
      />
    </Tip>
  )
}
