import { Ellipsis, Flag, Scissors } from 'lucide-react'
import { memo, useEffect, useState, type MouseEvent } from 'react'
import { failureFrom } from '../connection/connection.ts'
import { useTurn } from '../connection/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { clock } from '../words.ts'
import { BetweenTurns } from './between-turns.tsx'
import { EditedFiles } from './edited-files.tsx'
import { UnhidingFrom, unhidingTurn } from './file-lines.tsx'
import { ForkChip } from './fork-chip.tsx'
import { OtherTry } from './other-try.tsx'
import type { TurnView } from './read-line.ts'
import { lengthOf, siblingsOf } from './read-line.ts'
import { turnActions } from './turn-actions.ts'
import type { TurnContext } from './turn-context.ts'
import { TurnBody } from './turn-body.tsx'
import { TurnFiles } from './turn-files.tsx'
import { TurnPrompt } from './turn-prompt.tsx'

/** `at-first`: the user has not scrolled yet; the list moves to its first position. */
type Resting = 'no' | 'yes' | 'at-first'

export interface TurnRowProps {
  readonly turn: TurnView
  readonly place: number
  readonly context: TurnContext
  /** Details load while the list is not scrolling. */
  readonly resting: Resting
  readonly linked: boolean
  readonly filesOpen: boolean
  readonly onToggleFiles: (turn: string) => void
}

/** One turn: its prompt, what was said and done, its files, and what can be done with it. */
export const TurnRow = memo(function TurnRow(props: TurnRowProps) {
  const { turn, place, context, resting, linked, filesOpen, onToggleFiles } = props
  const { line, session } = context
  // Buttons with tips cost more than the rest of a row, so a row that scrolls past has none.
  const rests = useRests(resting)
  const show = useTurn(session, turn.id, rests)
  // The details move what is below them, so no button is there before.
  const isRead = show.data !== undefined || show.error !== null
  const undone = turn.state === 'undone'
  const isHead = place === line.here
  const previous = line.turns[place - 1]
  const siblings = siblingsOf(line, turn)
  return (
    <article
      data-turn={turn.id}
      tabIndex={0}
      aria-posinset={turn.number ?? place + 1}
      aria-setsize={lengthOf(line)}
      aria-label={`Turn ${turn.number ?? ''}${undone ? ', undone' : ''}: ${turn.prompt.slice(0, 200)}`}
      // Keep the estimated height until the details are there: turns that change size while
      // scrolling make the list correct itself in every frame, with gaps and overlaps.
      style={{ minHeight: show.data === undefined ? estimateHeight(turn) : undefined }}
      className="group/turn relative mx-auto flex max-w-3xl gap-3 px-5 pt-3 pb-4 outline-none"
    >
      <Rail undone={undone} isHead={isHead} place={place} last={place === line.turns.length - 1} />
      <div
        className={`min-w-0 flex-1 ${undone ? 'rounded-xl border border-dashed border-line-strong bg-sunken p-2.5' : ''}`}
      >
        {previous?.summarized === true && !turn.summarized && <Boundary />}
        <div
          className={`rounded-lg border px-3.5 py-2.5 outline-offset-2 outline-accent group-focus-visible/turn:outline-2 ${undone ? 'border-dashed border-line-strong bg-transparent text-muted' : 'border-line bg-surface shadow-low'} ${linked ? 'ring-2 ring-accent-line' : ''}`}
        >
          <div className="mb-1 flex min-h-5 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            <span className="tabular font-medium">{turn.number}</span>
            <Kind turn={turn} />
            {undone && <Badge tone="undone">undone</Badge>}
            <FilesState turn={turn} />
            {siblings.length > 1 && <ForkChip turn={turn} siblings={siblings} context={context} />}
            <span className="ml-auto flex shrink-0 items-center gap-2">
              {rests && <Toolbar turn={turn} context={context} isHead={isHead} />}
              <time dateTime={turn.at ?? undefined} className="whitespace-nowrap">
                {clock(turn.at)}
              </time>
            </span>
          </div>
          <TurnPrompt turn={turn} context={context} resting={rests} />
        </div>
        {siblings.length > 1 && <OtherTry turn={turn} siblings={siblings} context={context} />}
        <UnhidingFrom value={unhidingTurn(session, turn.id, 'diffs')}>
          <div className={`flex flex-col gap-2.5 px-0.5 pt-3 ${undone ? 'text-muted' : ''}`}>
            {show.data !== undefined ? (
              <TurnBody show={show.data} />
            ) : show.error === null ? (
              <Waiting turn={turn} />
            ) : (
              <p className="text-xs text-removed">
                {failureFrom(show.error).message}{' '}
                <button type="button" className="underline" onClick={() => void show.refetch()}>
                  Try again
                </button>
              </p>
            )}
            <TurnFiles
              turn={turn}
              diffs={show.data?.diffs ?? []}
              open={filesOpen}
              onToggle={() => onToggleFiles(turn.id)}
            />
          </div>
        </UnhidingFrom>
        {turn.checkpoints.map((name) => (
          <p key={name} className="mt-3 flex items-center gap-2 text-xs text-accent">
            <Flag size={13} aria-hidden />
            <span className="font-medium">{name}</span>
            <span aria-hidden className="h-px flex-1 bg-accent-line" />
          </p>
        ))}
        <UnhidingFrom value={unhidingTurn(session, turn.id, 'editedDiffs')}>
          {isRead && <EditedFiles turn={turn} diffs={show.data?.editedDiffs} />}
        </UnhidingFrom>
        {isRead ? (
          <BetweenTurns turn={turn} place={place} context={context} />
        ) : (
          <div aria-hidden className="mt-3 h-6" />
        )}
      </div>
    </article>
  )
})

/**
 * A turn that only scrolls past is not loaded: the server would work on it long after it is gone.
 * Before the user scrolls, the list finds its position in a frame or two.
 */
function useRests(resting: Resting): boolean {
  const [rests, setRests] = useState(false)
  useEffect(() => {
    if (resting === 'no' || rests) return
    const timer = setTimeout(() => setRests(true), resting === 'at-first' ? 30 : 90)
    return () => clearTimeout(timer)
  }, [resting, rests])
  return rests
}

/** The turn's dot on the line through all turns; dashed if undone. */
function Rail({ undone, isHead, place, last }: RailProps) {
  const below = undone || isHead ? 'border-dashed border-line-strong' : 'border-line-strong'
  const above = undone ? 'border-dashed border-line-strong' : 'border-line-strong'
  return (
    <div aria-hidden className="w-3 shrink-0">
      <div className="absolute inset-y-0 w-3">
        {place > 0 && <span className={`absolute top-0 left-1/2 h-7 border-l ${above}`} />}
        {!last && <span className={`absolute top-7 bottom-0 left-1/2 border-l ${below}`} />}
        <span
          data-here={isHead || undefined}
          className={`absolute top-7 left-[calc(50%+0.5px)] size-2.5 -translate-x-1/2 rounded-full border-2 ${isHead ? 'border-accent bg-accent' : undone ? 'border-dashed border-line-strong bg-bg' : 'border-line-strong bg-bg'}`}
        />
      </div>
    </div>
  )
}

interface RailProps {
  readonly undone: boolean
  readonly isHead: boolean
  readonly place: number
  readonly last: boolean
}

function Kind({ turn }: { turn: TurnView }) {
  if (turn.kind === 'command') return <span>Command</span>
  if (turn.kind === 'shell') return <span>Shell</span>
  if (turn.kind === 'orphan') return <span>An answer whose prompt is not in the transcript</span>
  return <span>You</span>
}

/** Shown where the files do not match the conversation. */
function FilesState({ turn: { state, filesState } }: { turn: TurnView }) {
  if (filesState === 'reverted') return <Badge tone="warn">reverted</Badge>
  if (filesState === 'partly') return <Badge tone="warn">partly in the files</Badge>
  if (state === 'undone' && filesState === 'in')
    return <Badge tone="warn">its changes are still in the files</Badge>
  if (state === 'active' && filesState === 'out')
    return <Badge tone="warn">its changes are not in the files</Badge>
  return null
}

function Toolbar({
  turn,
  context,
  isHead,
}: {
  turn: TurnView
  context: TurnContext
  isHead: boolean
}) {
  const actions = turnActions(context, turn)
  return (
    <div className="reveal -my-1 flex shrink-0 gap-0.5 rounded-md">
      {actions.map(({ quick, label, icon: Icon, unavailable, run }) =>
        quick === undefined || (isHead && quick === 'undo-after') ? null : (
          <Button
            key={quick}
            variant="quiet"
            size="icon"
            aria-label={label}
            tip={label}
            unavailable={unavailable ?? undefined}
            onClick={run}
          >
            <Icon size={15} />
          </Button>
        ),
      )}
      <Button
        variant="quiet"
        size="icon"
        aria-label="More actions"
        aria-haspopup="menu"
        onClick={openMenuHere}
      >
        <Ellipsis size={15} />
      </Button>
    </div>
  )
}

/** Characters. A longer prompt is folded. */
const LONG = 700

/** Opens the menu that all turns share, as a right click would. */
function openMenuHere({ currentTarget }: MouseEvent<HTMLElement>): void {
  const { left, bottom } = currentTarget.getBoundingClientRect()
  currentTarget.dispatchEvent(
    new PointerEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: left,
      clientY: bottom,
    }),
  )
}

function Waiting({ turn }: { turn: TurnView }) {
  const lines = Math.min(4, 1 + Math.ceil(turn.messages / 2))
  return (
    <div aria-hidden className="flex flex-col gap-2 py-1">
      {Array.from({ length: lines }, (_, at) => (
        <span
          key={at}
          className="h-3 animate-breathe rounded bg-hover"
          style={{ width: `${[88, 72, 80, 46][at]}%` }}
        />
      ))}
    </div>
  )
}

function Boundary() {
  return (
    <p className="mb-3 flex items-center gap-2 text-xs text-muted">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <Scissors size={13} aria-hidden />
      Compacted: from here on the agent has only a summary of the turns above
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  )
}

/** Estimated height of a turn in pixels, until it is measured. */
export function estimateHeight(turn: TurnView): number {
  const lines = Math.ceil(Math.min(turn.prompt.length, LONG) / 80)
  const files = turn.files.length + turn.commands.length > 0 ? 26 : 0
  return 110 + 22 * lines + files + 28 * Math.min(4, turn.messages) + 30 * Math.min(8, turn.steps)
}
