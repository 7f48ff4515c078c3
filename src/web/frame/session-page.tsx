import { useAgentOf } from '../connection/agents.ts'
import { NotRun } from '../composer/not-run.tsx'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { BranchWindow } from '../branches/branch-window.tsx'
import { NewBranch } from '../branches/new-branch.tsx'
import { NameTurn } from '../branches/name-turn.tsx'
import { Composer } from '../composer/composer.tsx'
import { RunningTurn } from '../composer/running-turn.tsx'
import { stopRun, useRun } from '../composer/run.ts'
import { failureFrom, useIsUp } from '../connection/connection.ts'
import { useStatus, useTurns, type Log } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { runsSupervised } from '../plan/go-back.ts'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { UndoBar } from '../plan/undo-bar.tsx'
import { beginningOf, readLine, type TurnView } from '../turns/read-line.ts'
import { ProjectPath } from '../turns/project.ts'
import { Timeline } from '../turns/timeline.tsx'
import type { TurnContext } from '../turns/turn-context.ts'
import { VoiceBar, VoiceButton } from '../voice/voice-bar.tsx'
import { HooksOffer } from './hooks-offer.tsx'
import { SessionHeader } from './session-header.tsx'
import { VoiceLog, VoiceLogLine } from './voice-log.tsx'

const route = getRouteApi('/s/$session')

export function SessionPage() {
  const { session } = route.useParams()
  // Remount for another session, so that no state of the former one remains.
  return <Session key={session} session={session} />
}

type Opened =
  | { readonly kind: 'branches' | 'name' | 'new-branch'; readonly turn: TurnView }
  | { readonly kind: 'nothing' }

function Session({ session }: { session: string }) {
  const { turn: linked } = route.useSearch()
  const turns = useTurns(session)
  const status = useStatus(session)
  const isUp = useIsUp()
  // A session that was just started has no file before its first answer.
  const isMissing = turns.error !== null && failureFrom(turns.error).code === 'session-not-found'
  const run = useRun(session, isMissing || status.data?.live === 'busy')
  const isNew = isMissing && run.state !== 'idle'
  const notWritten = useMemo(
    (): Log => ({
      schema: 'retake.log/1',
      session,
      head: null,
      turns: [],
      damage: [],
      more: false,
    }),
    [session],
  )
  const log = isNew ? notWritten : turns.log
  const error = isNew ? null : turns.error
  const [opened, setOpened] = useState<Opened>({ kind: 'nothing' })
  const running = run.state === 'idle' ? null : run.turn
  // The running turn is shown live; its part in the transcript would show it twice.
  const line = useMemo(
    () =>
      log === undefined
        ? null
        : readLine({ ...log, turns: log.turns.filter(({ id }) => id !== running) }),
    [log, running],
  )
  const blocked = !isUp
    ? 'Retake is not connected.'
    : run.works
      ? 'The agent is working: stop it first.'
      : status.data?.live === 'busy'
        ? 'The agent is working in a terminal: stop it there first.'
        : null
  const agent = useAgentOf(session)
  const stops = isUp && runsSupervised(status.data)
  const navigate = route.useNavigate()
  // A link to a turn of another branch opens the branch window.
  const elsewhere = linked === undefined ? undefined : line?.byId.get(linked)
  const isElsewhere = elsewhere?.state === 'other'
  const shown: Opened =
    line !== null && elsewhere !== undefined && isElsewhere
      ? { kind: 'branches', turn: beginningOf(line, elsewhere) }
      : opened
  const close = useCallback(() => {
    setOpened({ kind: 'nothing' })
    if (isElsewhere) void navigate({ search: {}, replace: true })
  }, [navigate, isElsewhere])
  const context: TurnContext | null = useMemo(
    () =>
      line && {
        session,
        line,
        blocked,
        stopFirst: run.works && run.state === 'running' && isUp ? () => stopRun(session) : null,
        openBranches: (turn) => setOpened({ kind: 'branches', turn }),
        nameTurn: (turn) => setOpened({ kind: 'name', turn }),
        branchFrom: (turn) => setOpened({ kind: 'new-branch', turn }),
        compare: (a, b) => void navigate({ to: '/compare', search: { session, a: a.id, b: b.id } }),
      },
    [session, line, blocked, run.works, run.state, isUp, navigate],
  )
  if (error !== null)
    return (
      <main className="flex h-full items-center justify-center p-6">
        <div className="w-full max-w-lg">
          <Failed failure={failureFrom(error)} onRetry={turns.retry} />
        </div>
      </main>
    )
  const project = status.data?.project ?? null
  return (
    <ProjectPath value={project}>
      <main className="flex h-full min-w-0 flex-col">
        <SessionHeader
          session={session}
          line={line}
          status={status.data}
          blocked={blocked}
          works={run.works}
          running={run.state !== 'idle'}
        />
        <HooksOffer status={status.data} />
        {context === null ? (
          <Reading />
        ) : (
          <div className="relative flex min-h-0 flex-1">
            <div className="flex min-w-0 flex-1 flex-col">
              <Timeline
                context={context}
                linked={linked}
                follow={run.state !== 'idle' || log?.more === true}
                sent={run.isOwn}
                older={log?.more === true}
                tail={<RunningTurn run={run} line={context.line} />}
              />
              <UndoBar context={context} status={status.data} />
              <VoiceBar
                session={session}
                line={context.line}
                run={run}
                project={project}
                blocked={run.works || stops ? null : blocked}
                running={run.state !== 'idle' || stops}
              />
              <VoiceLogLine session={session} />
              {agent.runs ? (
                <Composer
                  session={session}
                  line={context.line}
                  run={run}
                  status={status.data}
                  blocked={blocked}
                  aside={<VoiceButton />}
                />
              ) : (
                <NotRun agent={agent} session={session} />
              )}
            </div>
            <VoiceLog session={session} />
          </div>
        )}
        <PlanDialogs project={project} />
        {context !== null && shown.kind === 'branches' && (
          <BranchWindow context={context} turn={shown.turn} onClose={close} />
        )}
        {shown.kind === 'name' && <NameTurn session={session} turn={shown.turn} onClose={close} />}
        {shown.kind === 'new-branch' && (
          <NewBranch
            session={session}
            title={status.data?.title ?? 'Session'}
            turn={shown.turn}
            onClose={close}
          />
        )}
      </main>
    </ProjectPath>
  )
}

function Reading() {
  return (
    <div
      role="status"
      aria-label="Reading the session"
      className="mx-auto w-full max-w-3xl flex-1 p-8"
    >
      {[0, 1, 2].map((at) => (
        <div key={at} className="mb-8 flex animate-breathe flex-col gap-2.5">
          <span className="h-12 rounded-lg bg-hover" />
          <span className="h-3 w-4/5 rounded bg-hover" />
          <span className="h-3 w-3/5 rounded bg-hover" />
        </div>
      ))}
    </div>
  )
}
