import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, History, RotateCcw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { OperationShowView } from '#protocol'
import { groupKept, wordsForLeft } from '#timeline'
import { client, failureFrom, useIsUp } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { InlineCode } from '../plan/inline-code.tsx'
import { ask } from '../plan/planning.ts'
import type { SessionView } from '../sessions/arrange-sessions.ts'
import { FileFolds } from '../time/file-folds.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { clock, count, directoryName } from '../words.ts'
import { StateBadge } from './operation-row.tsx'
import { operationTitle, placeWords, type OperationView } from './operation-words.ts'
import { operationKey, useOperation } from './queries.ts'
import { stateBefore } from './state-before.ts'

interface OperationDetailsProps {
  readonly operation: OperationView
  readonly others: readonly OperationView[]
  /** The operation that undid this one, if any. */
  readonly takenBackBy: OperationView | undefined
  readonly session: SessionView | undefined
  readonly onChoose: (ref: string) => void
}

/** One operation: where the session was before and after it, its files, and how to undo it. */
export function OperationDetails(props: OperationDetailsProps) {
  const { operation, others, takenBackBy, session, onChoose } = props
  const { receipt, because, stays, id } = operation
  const isUp = useIsUp()
  const whyNot =
    stays ??
    (session === undefined
      ? 'Its session no longer exists.'
      : isUp
        ? null
        : 'Retake is not connected.')
  return (
    <article aria-label={`Operation ${id}`} className="min-w-0 lg:overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-6">
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold">
              {operationTitle(operation, others)}
              <StateBadge operation={operation} />
            </h2>
            <p className="text-sm text-muted">
              {clock(operation.at)}
              {session !== undefined && (
                <>
                  {' · '}
                  <Link
                    to="/s/$session"
                    params={{ session: session.id }}
                    className="text-accent underline underline-offset-2"
                  >
                    {session.title}
                  </Link>
                  {` · ${directoryName(session.project)}`}
                </>
              )}
            </p>
          </div>
          <GoBefore operation={operation} isUp={isUp} />
          <Button
            variant={stays === null ? 'primary' : 'plain'}
            unavailable={whyNot ?? undefined}
            onClick={() =>
              ask({ session: operation.session, body: { verb: 'op-undo', operation: id } })
            }
          >
            <RotateCcw size={14} aria-hidden />
            Undo this…
          </Button>
        </div>
        {stays !== null && (
          <p className="rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
            <span className="font-medium">It cannot be undone on its own. </span>
            <InlineCode text={stays} />
            {takenBackBy !== undefined && operation.state === 'undone' && (
              <>
                {' '}
                <button
                  type="button"
                  className="text-accent underline underline-offset-2"
                  onClick={() => onChoose(takenBackBy.ref ?? '')}
                >
                  Operation {takenBackBy.id} undid it
                </button>
                {takenBackBy.stays === null && '; undo that operation to bring this one back.'}
              </>
            )}
          </p>
        )}
        {because !== null && <p className="text-sm text-warn">{because}</p>}
        <Places operation={operation} />
        <Notes receipt={receipt} />
        {operation.files.length > 0 && operation.ref !== undefined && (
          <Files reference={operation.ref} />
        )}
      </div>
    </article>
  )
}

/** Goes to the state before an operation that others followed, by a plan. */
function GoBefore({ operation, isUp }: { operation: OperationView; isUp: boolean }) {
  const { session } = operation
  const { data } = useQuery({
    queryKey: ['time', 'tree', session],
    queryFn: () => client().tree({ session }),
    retry: false,
  })
  const before = data === undefined ? null : stateBefore(operation, data)
  if (before === null) return null
  const why = before.kind === 'none' ? before.why : isUp ? null : 'Retake is not connected.'
  return (
    <Button
      unavailable={why ?? undefined}
      tip="Shows the plan first"
      onClick={() => before.kind === 'plan' && ask({ session, body: before.body })}
    >
      <History size={14} aria-hidden />
      {before.label}
    </Button>
  )
}

function Places({ operation: { receipt, session } }: { operation: OperationView }) {
  const { from, to } = receipt
  const link = (turn: typeof from): ReactNode =>
    turn === null ? (
      placeWords(turn)
    ) : (
      <Link
        to="/s/$session"
        params={{ session }}
        search={{ turn: turn.id }}
        className="text-accent underline underline-offset-2"
      >
        {placeWords(turn)}
      </Link>
    )
  return (
    <dl className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <div className="flex gap-2">
        <dt className="text-muted">The session was at</dt>
        <dd>{link(from)}</dd>
      </div>
      <ArrowRight size={13} aria-hidden className="text-faint" />
      <div className="flex gap-2">
        <dt className="text-muted">then at</dt>
        <dd>{link(to)}</dd>
      </div>
    </dl>
  )
}

function Notes({ receipt }: { receipt: OperationView['receipt'] }) {
  const lines = [
    ...groupKept(receipt, receipt.session).map(
      ([who, paths]) =>
        `${who === null ? 'Your own edits' : `The edits of ${who}`} in ${paths.join(', ')} were kept.`,
    ),
    ...(receipt.conversation === 'pending'
      ? ['The conversation moves when the agent leaves the session.']
      : []),
    ...(receipt.marked ?? []).map(
      ({ path, line }) => `${path} has conflict markers (line ${line}).`,
    ),
    ...(receipt.warnings ?? []).map((warning) => `Note: ${warning}`),
    ...receipt.left.map((each) =>
      each.include === undefined
        ? `Not covered: ${wordsForLeft(each)}`
        : `Left as it is: ${wordsForLeft(each)}`,
    ),
  ]
  if (lines.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm text-muted">
      {lines.map((line) => (
        <li key={line} className="break-words">
          <InlineCode text={line} />
        </li>
      ))}
    </ul>
  )
}

const VIEWS = { did: 'What it did', since: 'Before it, against now' } as const

function Files({ reference }: { reference: string }) {
  const [view, setView] = useState<keyof typeof VIEWS>('did')
  const { data, error, refetch } = useOperation(reference)
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  return (
    <section aria-label="Files" className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="flex-1 text-sm font-semibold">
          {data === undefined ? 'Files' : count(data.did.length, 'file')}
        </h3>
        <Choice legend="What is shown" of={VIEWS} value={view} onChange={setView} />
      </div>
      {view === 'since' && (
        <p className="text-xs text-muted">
          Red: before this operation. Green: now. Viewing changes nothing.
        </p>
      )}
      {data !== undefined && (
        <FileFolds
          key={view}
          files={data[view]}
          unhiding={{
            key: [...operationKey(reference), view],
            read: async () =>
              (await client().operation({ operation: reference, reveal: 'yes' }))[view],
          }}
          note={(path) => noteOf(data, path)}
        />
      )}
    </section>
  )
}

function noteOf({ operation }: OperationShowView, path: string): string | null {
  const file = operation.files.find((each) => each.path === path)
  if (file === undefined) return null
  if (file.outcome === 'conflict') return 'it changed in the meantime; that change was kept'
  const [pre, post] = [file.pre, file.post].map((value) => (value as { kind: string }).kind)
  if (pre === 'absent') return 'brought'
  if (post === 'absent') return 'removed'
  return file.choice === null ? null : file.choice.replace('-', ' ')
}
