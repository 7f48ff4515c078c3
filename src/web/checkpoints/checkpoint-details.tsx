import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, GitCompareArrows, Trash2 } from 'lucide-react'
import { client, useIsUp } from '../connection/connection.ts'
import type { Log } from '../connection/queries.ts'
import { refreshSession } from '../connection/refresh.ts'
import { ask } from '../plan/planning.ts'
import { showFailure, showReceipt } from '../plan/show-receipt.tsx'
import { FilesSince } from '../time/files-since.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, linkStyle } from '../ui/button.tsx'
import { clock } from '../words.ts'
import { placeOf, type Checkpoint } from './checkpoint-words.ts'

interface CheckpointDetailsProps {
  readonly session: string
  readonly checkpoint: Checkpoint
  /** The session's head; undefined until it is loaded. */
  readonly head: Log['head'] | undefined
}

/** One checkpoint: its turn, its files then and now, and buttons to go there or compare. */
export function CheckpointDetails({ session, checkpoint, head }: CheckpointDetailsProps) {
  const { name, turn, prompt, branch, at } = checkpoint
  const isUp = useIsUp()
  const offline = isUp ? undefined : 'Retake is not connected.'
  const isHere = turn.id === head?.id
  const isUndone = turn.number !== null && turn.number > (head?.number ?? Infinity)
  const forget = useMutation({
    mutationFn: () => client().deleteCheckpoint({ session, name }),
    onSuccess(receipt) {
      refreshSession(session, 'everything')
      showReceipt(receipt, null)
    },
    onError: (error) => showFailure(error),
  })
  return (
    <article aria-label={`Checkpoint ${name}`} className="min-w-0 lg:overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-6">
        <div>
          <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold break-all">
            {name}
            {isHere && <Badge tone="accent">here</Badge>}
            {isUndone && <Badge tone="undone">undone</Badge>}
            {branch !== null && turn.number === null && <Badge>another branch</Badge>}
          </h2>
          <p className="text-sm text-muted">
            {placeOf(checkpoint)} · named {clock(at)}
          </p>
        </div>
        {branch === null ? (
          <p className="rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
            The turn is no longer in the transcript, so you cannot go there. You can delete the
            checkpoint.
          </p>
        ) : (
          <Link
            to="/s/$session"
            params={{ session }}
            search={{ turn: turn.id }}
            className="line-clamp-3 rounded text-sm break-words text-accent underline underline-offset-2"
          >
            {prompt}
          </Link>
        )}
        <div className="flex flex-wrap gap-2">
          {branch !== null && (
            <>
              <Button
                variant="primary"
                unavailable={isHere ? 'The session is here.' : offline}
                onClick={() =>
                  ask({
                    session,
                    body:
                      turn.number === null
                        ? { verb: 'switch', branch: branch.id, turn: turn.id }
                        : { verb: 'rewind', turn: turn.id },
                  })
                }
              >
                <ArrowLeftRight size={14} aria-hidden />
                Go there…
              </Button>
              {head != null && !isHere && (
                <Link
                  to="/compare"
                  search={{ session, a: turn.id, b: head.id }}
                  className={linkStyle('normal')}
                >
                  <GitCompareArrows size={14} aria-hidden />
                  Compare with where you are
                </Link>
              )}
            </>
          )}
          <Button
            variant="quiet"
            unavailable={forget.isPending ? 'Working…' : offline}
            tip="The turn stays; only its name goes"
            onClick={() => forget.mutate()}
          >
            <Trash2 size={14} aria-hidden />
            Delete checkpoint
          </Button>
        </div>
        {branch !== null && <FilesSince session={session} turn={turn.id} />}
      </div>
    </article>
  )
}
