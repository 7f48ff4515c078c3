import { useQuery } from '@tanstack/react-query'
import { Redo2 } from 'lucide-react'
import type { StashView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { ask } from '../plan/planning.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ago, brief, count } from '../words.ts'

type Entry = StashView['entries'][number]

interface StashProps {
  readonly session: string
  readonly blocked: string | null
  readonly onClose: () => void
}

/** The turns that were rewound past and are not active again: read them, bring them back. */
export function Stash({ session, blocked, onClose }: StashProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['stash', session],
    queryFn: () => client().stash({ session }),
    staleTime: 0,
  })
  const restore = ({ from, where }: Entry): void => {
    onClose()
    ask({
      session,
      body:
        where === 'ahead'
          ? { verb: 'rewind', turn: from.id }
          : { verb: 'switch', branch: where.id, turn: from.id },
    })
  }
  return (
    <Dialog title="Turns you went back past" onClose={onClose}>
      {error !== null && <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />}
      {data?.entries.length === 0 && (
        <p className="py-4 text-center text-muted">
          None. What you undo is kept here until it is active again.
        </p>
      )}
      <ol className="flex flex-col gap-3">
        {data?.entries.map((entry) => (
          <li key={entry.id} className="rounded-lg border border-dashed border-line-strong p-3">
            <div className="flex items-center gap-3">
              <p className="min-w-0 flex-1 text-sm">
                <span className="font-medium">{count(entry.turns.length, 'turn')}</span>
                <span className="text-muted">
                  {' '}
                  · {ago(entry.at)} ·{' '}
                  {entry.where === 'ahead' ? 'ahead of you' : `on branch ${entry.where.label}`}
                </span>
              </p>
              <Button
                size="small"
                unavailable={blocked ?? undefined}
                onClick={() => restore(entry)}
              >
                <Redo2 size={13} aria-hidden />
                Bring back
              </Button>
            </div>
            <ol className="mt-2 text-sm text-muted">
              {entry.turns.slice(0, 6).map((turn) => (
                <li key={turn.id} className="truncate">
                  {brief(turn.prompt, 90)}
                </li>
              ))}
              {entry.turns.length > 6 && <li>… {entry.turns.length - 6} more</li>}
            </ol>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
