import { Columns2, GitBranchPlus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { InlinePlan } from '../plan/inline-plan.tsx'
import { Button } from '../ui/button.tsx'
import { useProject } from './project.ts'
import type { TurnView } from './read-line.ts'
import type { TurnContext } from './turn-context.ts'

interface BetweenTurnsProps {
  readonly turn: TurnView
  readonly place: number
  readonly context: TurnContext
}

/** The line after a turn, always visible: what can be done at this point of the session. */
export function BetweenTurns({ turn, place, context }: BetweenTurnsProps) {
  const [asked, setAsked] = useState(false)
  const { session, line, blocked } = context
  const project = useProject()
  const head = line.turns[line.here]
  if (turn.kind === 'orphan' || place > line.here || place === line.turns.length - 1) return null
  if (asked)
    return (
      <div className="mt-3">
        <InlinePlan
          session={session}
          project={project}
          body={{ verb: 'rewind', turn: turn.id }}
          onClose={() => setAsked(false)}
        />
      </div>
    )
  const isHere = place === line.here
  return (
    <div className="mt-3 flex items-center gap-0.5 text-xs text-muted">
      {isHere ? (
        <span className="shrink-0 font-medium text-accent">You are here</span>
      ) : (
        <Button
          size="small"
          variant="quiet"
          tip="Undo everything after this, files and chat"
          unavailable={blocked ?? undefined}
          onClick={() => setAsked(true)}
          className="-ml-2"
        >
          <Undo2 size={12} aria-hidden />
          Undo to here
        </Button>
      )}
      {!isHere && (
        <>
          <Button
            size="small"
            variant="quiet"
            tip="Branch from here as a new session"
            unavailable={blocked ?? undefined}
            onClick={() => context.branchFrom(turn)}
          >
            <GitBranchPlus size={12} aria-hidden />
            Branch
          </Button>
          <Button
            size="small"
            variant="quiet"
            tip="Compare with where you are"
            onClick={() => head !== undefined && context.compare(turn, head)}
          >
            <Columns2 size={12} aria-hidden />
            Compare
          </Button>
        </>
      )}
      <span aria-hidden className={`ml-1.5 h-px flex-1 ${isHere ? 'bg-accent-line' : 'bg-line'}`} />
    </div>
  )
}
