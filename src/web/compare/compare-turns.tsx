import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import type { CompareView } from '#protocol'
import { Badge, Lines } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { count } from '../words.ts'

type Side = CompareView['sides'][number]
type Turn = Side['turns'][number]

/** Rows shown at first; each click adds MORE. */
const SHOWN = 20
const MORE = 200

/** The turns of both sides after the fork, row by row. */
export function CompareTurns({ sides }: { sides: CompareView['sides'] }) {
  const [shown, setShown] = useState(SHOWN)
  const rows = Math.max(...sides.map(({ turns }) => turns.length))
  if (rows === 0) return <p className="text-sm text-muted">Neither has turns of its own.</p>
  return (
    <section aria-label="Turns" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Turns since they diverged</h2>
      <div className="grid grid-cols-2 gap-x-6 gap-y-2">
        {Array.from({ length: Math.min(shown, rows) }, (_, row) => (
          <Fragment key={row}>
            {sides.map((side, at) => (
              <TurnCard key={at} side={side} turn={side.turns[row]} />
            ))}
          </Fragment>
        ))}
      </div>
      {rows > shown && (
        <Button className="self-center" onClick={() => setShown(shown + MORE)}>
          {count(rows - shown, 'more row')}
        </Button>
      )}
    </section>
  )
}

function TurnCard({ side, turn }: { side: Side; turn: Turn | undefined }) {
  if (turn === undefined) return <div aria-hidden className="rounded-lg bg-sunken opacity-50" />
  const added = turn.files.reduce((sum, file) => sum + file.added, 0)
  const removed = turn.files.reduce((sum, file) => sum + file.removed, 0)
  return (
    <Link
      to="/s/$session"
      params={{ session: side.session }}
      search={{ turn: turn.id }}
      className="flex min-w-0 items-start gap-3 rounded-lg border border-line bg-surface px-3 py-2 hover:bg-hover"
    >
      <span className="tabular pt-px text-xs text-muted">{turn.number}</span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-sm break-words">{turn.prompt}</span>
        <span className="flex flex-wrap items-center gap-2 text-xs text-muted">
          {count(turn.steps, 'step')}
          {turn.files.length > 0 && <span>{count(turn.files.length, 'file')}</span>}
          <Lines added={added} removed={removed} />
          {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
        </span>
      </span>
    </Link>
  )
}
