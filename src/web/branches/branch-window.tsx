import { ChevronLeft, ChevronRight, Redo2, SquareArrowRight } from 'lucide-react'
import { useMemo, useRef, useState, type RefObject } from 'react'
import type { PlanBody } from '#protocol'
import { useBranches, useTurn } from '../connection/queries.ts'
import { ask } from '../plan/planning.ts'
import { siblingsOf, turnsFrom, type TurnView } from '../turns/read-line.ts'
import type { TurnContext } from '../turns/turn-context.ts'
import { UnhidingFrom, unhidingTurn } from '../turns/file-lines.tsx'
import { TurnBody } from '../turns/turn-body.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { ago, brief, count } from '../words.ts'
import { BranchActions } from './branch-actions.tsx'

interface BranchWindowProps {
  readonly context: TurnContext
  /** The first turn of the branch to open. */
  readonly turn: TurnView
  readonly onClose: () => void
}

/** Shows the branches that start at one fork, one at a time, as conversations. */
export function BranchWindow({ context, turn, onClose }: BranchWindowProps) {
  const { line, session, blocked } = context
  const siblings = useMemo(() => siblingsOf(line, turn), [line, turn])
  const [place, setPlace] = useState(
    Math.max(
      0,
      siblings.findIndex(({ id }) => id === turn.id),
    ),
  )
  const first = siblings[Math.min(place, siblings.length - 1)] ?? turn
  const turns = useMemo(() => turnsFrom(line, first), [line, first])
  const known = useBranches(session).data
  const branches = known?.branches ?? []
  const nameOf = (each: TurnView): string => {
    const branch = branches.find(({ id }) => id === each.branch)
    return branch?.name ?? brief(each.prompt, 32)
  }
  const list = useRef<HTMLOListElement>(null)
  const step = (by: number): void =>
    setPlace((now) => (now + by + siblings.length) % siblings.length)
  useArrows(step, list)

  const parent = first.parent === null ? undefined : line.byId.get(first.parent)
  const isHere = first.state !== 'other'
  const tip = turns.at(-1)!
  const files = new Set(turns.flatMap((each) => each.files.map(({ path }) => path))).size
  const start = (body: PlanBody): void => {
    onClose()
    ask({ session, body })
  }
  const redoTo = (each: TurnView): PlanBody =>
    each.state === 'other'
      ? { verb: 'switch', branch: first.branch, turn: each.id }
      : { verb: 'rewind', turn: each.id }
  const details = branches.find(({ id }) => id === first.branch)
  return (
    <Dialog
      width="wide"
      title={
        parent === undefined
          ? 'Branches from the beginning'
          : `Branches after turn ${parent.number ?? ''}`
      }
      onClose={onClose}
      aside={
        <div className="flex items-center gap-1">
          <Button variant="quiet" size="icon" aria-label="Previous branch" onClick={() => step(-1)}>
            <ChevronLeft size={16} />
          </Button>
          <span className="tabular text-sm" aria-live="polite">
            {place + 1} / {siblings.length}
          </span>
          <Button variant="quiet" size="icon" aria-label="Next branch" onClick={() => step(1)}>
            <ChevronRight size={16} />
          </Button>
        </div>
      }
      footer={
        <>
          {details !== undefined && (
            <BranchActions session={session} branch={details} turns={turns.length} />
          )}
          <span className="flex-1" />
          <Button
            variant="primary"
            unavailable={
              tip.state === 'active' && isHere
                ? 'The session is on this branch.'
                : (blocked ?? undefined)
            }
            onClick={() =>
              start(isHere ? { verb: 'redo', all: true } : { verb: 'switch', branch: first.branch })
            }
          >
            <SquareArrowRight size={15} aria-hidden />
            Switch to this branch
          </Button>
        </>
      }
    >
      <div role="tablist" aria-label="Branches" className="mb-3 flex flex-wrap gap-1">
        {siblings.map((each, at) => (
          <button
            key={each.id}
            type="button"
            role="tab"
            aria-selected={at === place}
            tabIndex={at === place ? 0 : -1}
            onClick={() => setPlace(at)}
            className="flex max-w-56 items-center gap-1.5 rounded-md border border-transparent px-2.5 py-1 text-sm text-muted hover:bg-hover aria-selected:border-accent-line aria-selected:bg-accent-soft aria-selected:text-ink"
          >
            <span className="truncate">{nameOf(each)}</span>
            {each.state !== 'other' && <Badge>here</Badge>}
          </button>
        ))}
      </div>
      {known !== undefined && known.crowd.state !== 'fine' && (
        <p className="mb-3 rounded-md border border-warn-line bg-warn-soft px-3 py-1.5 text-xs text-warn">
          {known.crowd.open} of {known.crowd.most} branches are open. Archive those you do not need;
          none is deleted automatically.
        </p>
      )}
      <p className="mb-3 text-xs text-muted">
        {count(turns.length, 'turn')} · {count(files, 'file')} · {ago(tip.at)}
        {details?.archived === true && ' · archived'}
        {details?.canonical === true && !details.retry && ' · main branch'}
      </p>
      <div role="tabpanel" aria-label={nameOf(first)}>
        <ol ref={list} className="flex flex-col gap-4">
          {turns.map((each, at) => (
            <BranchTurn
              key={each.id}
              number={(parent?.number ?? 0) + 1 + at}
              session={session}
              turn={each}
              blocked={blocked}
              onRedo={each.state === 'active' ? null : () => start(redoTo(each))}
            />
          ))}
        </ol>
      </div>
    </Dialog>
  )
}

function BranchTurn({
  session,
  turn,
  number,
  blocked,
  onRedo,
}: {
  session: string
  /** Counted along its own branch. */
  number: number
  turn: TurnView
  blocked: string | null
  onRedo: (() => void) | null
}) {
  const show = useTurn(session, turn.id, true)
  return (
    <li tabIndex={-1} data-branch-turn className="rounded-lg outline-offset-4">
      <div
        className={`flex items-start gap-3 rounded-lg border px-3.5 py-2.5 ${turn.state === 'active' ? 'border-line bg-surface' : 'border-dashed border-line-strong'}`}
      >
        <span className="tabular pt-0.5 text-xs text-muted">{number}</span>
        <p className="min-w-0 flex-1 font-medium break-words whitespace-pre-wrap">{turn.prompt}</p>
        {onRedo !== null && (
          <Button size="small" unavailable={blocked ?? undefined} onClick={onRedo}>
            <Redo2 size={13} aria-hidden />
            Switch to this turn
          </Button>
        )}
      </div>
      <div className="px-1 pt-2.5">
        {show.data === undefined ? (
          <span className="block h-3 w-2/3 animate-breathe rounded bg-hover" />
        ) : (
          <UnhidingFrom value={unhidingTurn(session, turn.id, 'diffs')}>
            <TurnBody show={show.data} />
          </UnhidingFrom>
        )}
      </div>
    </li>
  )
}

/** ← and → change the branch, ↑ and ↓ the focused turn. */
function useArrows(step: (by: number) => void, list: RefObject<HTMLOListElement | null>): void {
  useKeyDown((event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return
    const turns = [...(list.current?.querySelectorAll<HTMLElement>('[data-branch-turn]') ?? [])]
    const at = turns.findIndex((each) => each.contains(document.activeElement))
    if (event.key === 'ArrowLeft') step(-1)
    else if (event.key === 'ArrowRight') step(1)
    else if (event.key === 'ArrowDown') turns[Math.min(at + 1, turns.length - 1)]?.focus()
    else if (event.key === 'ArrowUp') turns[Math.max(at - 1, 0)]?.focus()
    else return
    event.preventDefault()
  })
}
