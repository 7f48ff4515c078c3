import { useAgentOf } from '../connection/agents.ts'
import { Link } from '@tanstack/react-router'
import { ChevronRight, GitBranch, MessageSquareReply, Undo2 } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StatusView } from '#protocol'
import { useBranchHere } from '../branches/branch-name.ts'
import { SessionChanges } from '../changes/session-changes.tsx'
import { useIsUp } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { goBack, runsSupervised, whyNotBack } from '../plan/go-back.ts'
import { ask } from '../plan/planning.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { lineageOf, type SessionView } from '../sessions/arrange-sessions.ts'
import { TimeMenu } from '../time/time-menu.tsx'
import { effectOf, type Line } from '../turns/read-line.ts'
import { Badge, Lines } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { brief, count } from '../words.ts'
import { Mismatch } from './mismatch.tsx'
import { TurnList } from './turn-list.tsx'

interface SessionHeaderProps {
  readonly session: string
  readonly line: Line | null
  readonly status: StatusView | undefined
  readonly blocked: string | null
  /** An agent works here; going back stops it. */
  readonly works: boolean
  /** A turn that is not in the line yet; going back undoes it. */
  readonly running: boolean
}

/** The session's title, its origin, where it is, and the buttons to go back. */
export function SessionHeader(props: SessionHeaderProps) {
  const { session, line, status } = props
  const sessions = useSessions().data?.sessions ?? []
  const lineage = lineageOf(sessions, session)
  const own = lineage.at(-1)
  const isUp = useIsUp()
  const branch = useBranchHere(session)
  const [files, setFiles] = useState(false)
  const effect = line === null ? null : effectOf(line.turns.slice(0, line.here + 1))
  return (
    <header className="border-b border-line bg-surface px-5 py-2.5 short:py-1">
      {lineage.length > 1 && <Lineage path={lineage} line={line} />}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1
          dir="auto"
          className="min-w-0 truncate text-lg max-sm:basis-full sm:max-w-[45%] short:max-w-[28%] font-semibold tracking-tight"
        >
          {status?.title ?? own?.title ?? 'Session'}
        </h1>
        {own?.parent !== undefined && (
          <Badge tone="accent">
            <GitBranch size={11} aria-hidden />
            branch
          </Badge>
        )}
        {branch !== null && (
          <span className="hidden sm:inline short:hidden">
            <Badge>
              <GitBranch size={11} aria-hidden />
              {branch}
            </Badge>
          </span>
        )}
        {status?.supervised === true && (
          <span className="hidden sm:inline short:hidden">
            <Badge>open under retake claude</Badge>
          </span>
        )}
        <span className="flex-1" />
        {effect !== null && effect.files > 0 && (
          <Button
            size="small"
            variant="quiet"
            tip="Files changed in this session"
            onClick={() => setFiles(true)}
            className="max-md:hidden"
          >
            {count(effect.files, 'file')}
            <Lines added={effect.added} removed={effect.removed} />
          </Button>
        )}
        <TimeMenu session={session} />
        {line !== null && <TurnList session={session} line={line} />}
        {isUp && line !== null && line.turns.length > 0 && (
          <>
            <Back {...props} line={line} />
            <Undo {...props} line={line} />
          </>
        )}
      </div>
      {files && (
        <Dialog width="wide" title="Files changed in this session" onClose={() => setFiles(false)}>
          <SessionChanges session={session} blocked={props.blocked} />
        </Dialog>
      )}
      {status?.pending != null && <Pending status={status} />}
      {status !== undefined && <Damage status={status} />}
      {status !== undefined && line !== null && status.differing.length > 0 && (
        <Mismatch session={session} status={status} line={line} blocked={props.blocked} />
      )}
    </header>
  )
}

function Lineage({ path, line }: { path: readonly SessionView[]; line: Line | null }) {
  const parents = path.slice(0, -1)
  const own = path.at(-1)!
  // A branch keeps the ids of the turns it shares, so its fork is found on its own line.
  const turn = own.lineage?.rewindFromTurn ?? line?.byId.get(own.parent?.turn ?? '')?.number
  return (
    <nav
      aria-label="Where this session came from"
      className="flex items-center gap-1 text-xs text-muted"
    >
      <span>{turn == null ? 'Branched from' : `Rewound from turn ${turn} of`}</span>
      {parents.map(({ id, title }, at) => (
        <span key={id} className="flex min-w-0 items-center gap-1">
          {at > 0 && <ChevronRight size={12} aria-hidden />}
          <Link
            to="/s/$session"
            params={{ session: id }}
            className="truncate text-accent underline-offset-2 hover:underline"
          >
            {brief(title, 40)}
          </Link>
        </span>
      ))}
    </nav>
  )
}

/** Unreadable parts, and transcripts that were longer once. */
function Damage({ status: { damaged, lost } }: { status: StatusView }) {
  if (damaged === 0 && lost.length === 0) return null
  return (
    <p className="mt-1.5 w-fit rounded-md border border-warn-line bg-warn-soft px-2 py-1 text-xs text-warn">
      {damaged > 0 && `${count(damaged, 'part')} of the transcript cannot be read. `}
      {lost.length > 0 &&
        'Retake has a longer copy. Run `retake rescue` in a terminal to restore it.'}
    </p>
  )
}

/** A move that waits: the agent has the session open and would overwrite it. */
function Pending({ status: { pending, session } }: { status: StatusView }) {
  const { name } = useAgentOf(session)
  const where = pending?.to?.number == null ? 'the beginning' : `turn ${pending.to.number}`
  return (
    <p className="mt-1.5 flex w-fit items-center gap-2 rounded-md border border-accent-line bg-accent-soft px-2 py-1 text-xs text-accent">
      The conversation will move to {where} when {name} leaves the session. A new prompt there
      cancels the move
    </p>
  )
}

function Back({
  session,
  line,
  status,
  blocked,
  works,
  running,
}: SessionHeaderProps & { line: Line }) {
  const stops = runsSupervised(status)
  const from = {
    session,
    line,
    project: status?.project ?? null,
    blocked: works || stops ? null : blocked,
    running: running || stops,
  }
  const back = useMutation({
    mutationFn: () => goBack(from),
    onError: (error) => showFailure(error),
  })
  const why = whyNotBack(from) ?? (back.isPending ? 'Going back…' : undefined)
  return (
    <Button
      variant="quiet"
      aria-label="Back · chat only"
      onClick={() => back.mutate()}
      unavailable={why}
      tip={
        stops
          ? 'Stop the turn in the terminal and go back to before it; files stay'
          : 'Go back one turn in the conversation; files stay'
      }
    >
      <MessageSquareReply size={14} aria-hidden />
      Back<span className="text-muted max-lg:hidden">· chat only</span>
    </Button>
  )
}

/** Undoes files and chat together, by a plan. */
function Undo({ session, line, blocked }: SessionHeaderProps & { line: Line }) {
  const why = line.here < 0 ? 'Nothing to undo: the session has no turns.' : blocked
  return (
    <Button
      unavailable={why ?? undefined}
      tip="Undo the last turn, files and chat; shows the plan first"
      onClick={() => ask({ session, body: { verb: 'undo' }, byKey: true })}
    >
      <Undo2 size={14} aria-hidden />
      Undo
    </Button>
  )
}
