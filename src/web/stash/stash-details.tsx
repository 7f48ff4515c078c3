import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Redo2 } from 'lucide-react'
import { client, failureFrom, useIsUp } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { ask } from '../plan/planning.ts'
import { FileFolds } from '../time/file-folds.tsx'
import { Lines } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { clock, count } from '../words.ts'
import { whereIs, whyItIs, type StashEntry } from './stash-words.ts'

interface StashDetailsProps {
  readonly session: string
  readonly entry: StashEntry
}

/** One stash entry: its cause, its turns, their file changes, and a button to bring it back. */
export function StashDetails({ session, entry }: StashDetailsProps) {
  const { id, at, from, where, turns } = entry
  const isUp = useIsUp()
  return (
    <article aria-label={`Stash ${id}`} className="min-w-0 lg:overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-6">
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-lg font-semibold">{count(turns.length, 'turn')}</h2>
            <p className="text-sm text-muted">
              {clock(at)} · {whyItIs(entry)} ·{' '}
              <Link
                to="/operations"
                search={{ session, operation: String(id) }}
                className="text-accent underline underline-offset-2"
              >
                operation {id}
              </Link>{' '}
              · {whereIs(entry)}
            </p>
          </div>
          <Button
            variant="primary"
            unavailable={isUp ? undefined : 'Retake is not connected.'}
            onClick={() =>
              ask({
                session,
                body:
                  where === 'ahead'
                    ? { verb: 'rewind', turn: from.id }
                    : { verb: 'switch', branch: where.id, turn: from.id },
              })
            }
          >
            <Redo2 size={14} aria-hidden />
            Bring back…
          </Button>
        </div>
        <section aria-label="Turns">
          <ol className="overflow-hidden rounded-lg border border-dashed border-line-strong">
            {turns.map((turn) => (
              <li key={turn.id} className="not-first:border-t not-first:border-line">
                <Link
                  to="/s/$session"
                  params={{ session }}
                  search={{ turn: turn.id }}
                  className="flex items-baseline gap-3 px-3 py-1.5 text-sm -outline-offset-2 hover:bg-hover"
                >
                  <span className="line-clamp-2 min-w-0 flex-1 break-words">{turn.prompt}</span>
                  <Lines
                    added={turn.files.reduce((sum, { added }) => sum + added, 0)}
                    removed={turn.files.reduce((sum, { removed }) => sum + removed, 0)}
                  />
                  <span className="tabular shrink-0 text-xs text-muted">{clock(turn.at)}</span>
                </Link>
              </li>
            ))}
          </ol>
        </section>
        <StashFiles session={session} entry={id} />
      </div>
    </article>
  )
}

function StashFiles({ session, entry }: { session: string; entry: number }) {
  const key = ['time', 'stash', session, entry]
  const asked = { session, entry: String(entry) }
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => client().stashEntry(asked),
    staleTime: 0,
    retry: false,
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <p className="text-sm text-muted">Reading the files…</p>
  return (
    <section aria-label="Files" className="flex flex-col gap-2.5">
      <h3 className="text-sm font-semibold">
        {data.entry.turns.length === 1 ? 'It' : 'They'} changed{' '}
        {data.files.length === 0 ? 'no known files' : count(data.files.length, 'file')}
      </h3>
      {data.files.length > 0 && (
        <FileFolds
          files={data.files}
          unhiding={{
            key,
            read: async () => (await client().stashEntry({ ...asked, reveal: 'yes' })).files,
          }}
        />
      )}
    </section>
  )
}
