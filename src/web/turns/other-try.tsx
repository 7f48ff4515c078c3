import { ArrowLeftRight, ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTurn } from '../connection/queries.ts'
import { InlinePlan } from '../plan/inline-plan.tsx'
import { Button } from '../ui/button.tsx'
import { ago, count } from '../words.ts'
import { UnhidingFrom, unhidingTurn } from './file-lines.tsx'
import { jumpTo } from './jump.ts'
import { useProject } from './project.ts'
import { effectOf, turnsFrom, type TurnView } from './read-line.ts'
import { showTry, closeTry, useTry } from './tries.ts'
import type { TurnContext } from './turn-context.ts'
import { TurnBody } from './turn-body.tsx'

interface OtherTryProps {
  readonly turn: TurnView
  readonly siblings: readonly TurnView[]
  readonly context: TurnContext
}

/** Another try at a turn, shown below its prompt: read it, or switch to it by a plan. */
export function OtherTry({ turn, siblings, context }: OtherTryProps) {
  const shown = useTry((now) => (now.turn === turn.id ? now.shown : null))
  const other = siblings.find(({ id }) => id === shown)
  if (other === undefined) return null
  return <Shown key={other.id} turn={turn} other={other} siblings={siblings} context={context} />
}

function Shown({ turn, other, siblings, context }: OtherTryProps & { readonly other: TurnView }) {
  const { session, line, blocked } = context
  const [switching, setSwitching] = useState(false)
  const project = useProject()
  const show = useTurn(session, other.id, true)
  const panel = useRef<HTMLElement>(null)
  const turns = turnsFrom(line, other)
  const { files } = effectOf(turns)
  useEffect(() => {
    if (!switching) panel.current?.focus()
  }, [switching])
  const close = (): void => {
    closeTry()
    jumpTo(turn.id)
  }
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={`Try ${siblings.indexOf(other) + 1} of ${siblings.length}`}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget && event.key !== 'Escape') return
        const act = {
          Escape: close,
          ArrowLeft: () => showTry(line, turn, -1),
          ArrowRight: () => showTry(line, turn, 1),
        }[event.key]
        if (act === undefined) return
        event.preventDefault()
        event.stopPropagation()
        act()
      }}
      className="mt-2 animate-appear rounded-lg border border-dashed border-accent-line bg-surface px-3.5 py-2.5 outline-offset-2"
    >
      <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <span className="font-medium text-accent">
          Try {siblings.indexOf(other) + 1} of {siblings.length}
        </span>
        <span>
          {count(turns.length, 'turn')} · {count(files, 'file')} · {ago(turns.at(-1)!.at)}
        </span>
        <span className="flex-1" />
        <Button
          variant="quiet"
          size="icon"
          aria-label="Show previous try"
          onClick={() => showTry(line, turn, -1)}
        >
          <ChevronLeft size={14} />
        </Button>
        <Button
          variant="quiet"
          size="icon"
          aria-label="Show next try"
          onClick={() => showTry(line, turn, 1)}
        >
          <ChevronRight size={14} />
        </Button>
        <Button variant="quiet" size="icon" aria-label="Close this try" onClick={close}>
          <X size={14} />
        </Button>
      </div>
      <div
        role="group"
        tabIndex={0}
        aria-label="What was said"
        // Arrow keys scroll here; in the timeline they would go to another turn.
        onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
        className="max-h-72 overflow-y-auto"
      >
        <p dir="auto" className="font-medium break-words whitespace-pre-wrap">
          {other.prompt}
        </p>
        <div className="flex flex-col gap-2.5 py-2">
          {show.data === undefined ? (
            <span className="block h-3 w-2/3 animate-breathe rounded bg-hover" />
          ) : (
            <UnhidingFrom value={unhidingTurn(session, other.id, 'diffs')}>
              <TurnBody show={show.data} />
            </UnhidingFrom>
          )}
        </div>
        {turns.length > 1 && (
          <button
            type="button"
            className="text-xs text-accent underline underline-offset-2"
            onClick={() => context.openBranches(other)}
          >
            and {count(turns.length - 1, 'more turn')}
          </button>
        )}
      </div>
      {switching ? (
        <InlinePlan
          session={session}
          project={project}
          body={{ verb: 'switch', branch: other.branch }}
          onClose={() => setSwitching(false)}
          onDone={() => {
            closeTry()
            jumpTo(other.id)
          }}
        />
      ) : (
        <Button
          size="small"
          className="mt-1"
          unavailable={blocked ?? undefined}
          onClick={() => setSwitching(true)}
        >
          <ArrowLeftRight size={13} aria-hidden />
          Switch to this try…
        </Button>
      )}
    </section>
  )
}
