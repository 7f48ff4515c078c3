import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, GitCompareArrows, SquareArrowOutUpRight } from 'lucide-react'
import { useIsUp } from '../connection/connection.ts'
import { useTurn } from '../connection/queries.ts'
import { ask } from '../plan/planning.ts'
import { Badge, Lines } from '../ui/badge.tsx'
import { Button, linkStyle } from '../ui/button.tsx'
import { clock, count } from '../words.ts'
import type { Node } from './lay-out.ts'

const link = linkStyle('small')

/** The chosen turn, and what can be done with it. */
export function NodeCard({ node, home }: { node: Node; home: string }) {
  const { turn, lane } = node
  const shown = useTurn(turn.session, turn.id, true).data?.turn
  const isUp = useIsUp()
  const files = shown?.files ?? []
  return (
    <section
      aria-label="Chosen turn"
      className="flex flex-col gap-1.5 border-t border-line bg-surface px-5 py-3"
    >
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <span className="tabular">Turn {turn.number ?? ''}</span>
        <span>· {lane.name}</span>
        {turn.isHead && <Badge tone="accent">here</Badge>}
        {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
        {turn.state === 'other' && <Badge>another branch</Badge>}
        {turn.checkpoints.map((name) => (
          <Badge key={name} tone="accent">
            {name}
          </Badge>
        ))}
        {shown !== undefined && (
          <>
            <span>{clock(shown.at)}</span>
            <span>{count(files.length, 'file')}</span>
            <Lines
              added={files.reduce((sum, { added }) => sum + added, 0)}
              removed={files.reduce((sum, { removed }) => sum + removed, 0)}
            />
          </>
        )}
      </div>
      <p className="line-clamp-2 text-sm break-words">{turn.prompt}</p>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/s/$session"
          params={{ session: turn.session }}
          search={{ turn: turn.id }}
          className={link}
        >
          <SquareArrowOutUpRight size={13} aria-hidden />
          {turn.session === home ? 'Show in the session' : 'Open its session'}
        </Link>
        {turn.session === home && !turn.isHead && (
          <>
            <Button
              size="small"
              unavailable={isUp ? undefined : 'Retake is not connected.'}
              onClick={() =>
                ask({
                  session: home,
                  body:
                    turn.state === 'other'
                      ? { verb: 'switch', branch: lane.branch, turn: turn.id }
                      : { verb: 'rewind', turn: turn.id },
                })
              }
            >
              <ArrowLeftRight size={13} aria-hidden />
              Go there…
            </Button>
            <Link to="/compare" search={{ session: home, a: home, b: turn.id }} className={link}>
              <GitCompareArrows size={13} aria-hidden />
              Compare with here
            </Link>
          </>
        )}
      </div>
    </section>
  )
}
