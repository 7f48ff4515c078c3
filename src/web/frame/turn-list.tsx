import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, Flag } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { jumpTo } from '../turns/jump.ts'
import { lengthOf, type Line, type TurnView } from '../turns/read-line.ts'
import { Badge } from '../ui/badge.tsx'
import { brief } from '../words.ts'

/** The button "Turn 9 of 12", and the list that it opens. */
export function TurnList({ session, line }: { session: string; line: Line }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const jumped = useRef(false)
  const here = line.turns[line.here]?.number ?? 0
  const go = (turn: string): void => {
    jumped.current = true
    setOpen(false)
    void navigate({ to: '/s/$session', params: { session }, search: { turn } })
    jumpTo(turn)
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="tabular flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-transparent px-2 text-sm text-muted hover:bg-hover hover:text-ink">
        <span className="whitespace-nowrap">
          Turn {here} of {lengthOf(line)}
        </span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          aria-label="Turns"
          // After a jump keep the focus on the turn, so that the timeline's keys act on it.
          onCloseAutoFocus={(event) => {
            if (jumped.current) event.preventDefault()
            jumped.current = false
          }}
          className="z-40 flex max-h-[60vh] w-96 max-w-[92vw] animate-appear flex-col rounded-lg border border-line bg-surface shadow-high outline-none"
        >
          <Finder line={line} here={here} onGo={go} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const MAX_SHOWN = 300

interface FinderProps {
  readonly line: Line
  readonly here: number
  readonly onGo: (turn: string) => void
}

/** A search field with the matching turns; arrow keys and Enter choose one. */
export function Finder({ line, here, onGo }: FinderProps) {
  const [filter, setFilter] = useState('')
  const id = useId()
  const shown = useMemo(() => findTurns(line, filter), [line, filter])
  const [chosen, setChosen] = useState<string | null>(null)
  const current = shown.findIndex(({ number }) => number === here)
  const found = shown.findIndex((turn) => turn.id === chosen)
  const at = found !== -1 ? found : Math.max(0, current)
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setChosen(shown[(at + step + shown.length) % Math.max(1, shown.length)]?.id ?? null)
    else if (event.key === 'Enter' && shown[at] !== undefined) onGo(shown[at].id)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length === 0 ? undefined : `${id}-${at}`}
        aria-autocomplete="list"
        aria-label="Find a turn"
        placeholder="Find a turn or a checkpoint"
        value={filter}
        onChange={(event) => {
          setFilter(event.target.value)
          setChosen(null)
        }}
        onKeyDown={onKeyDown}
        className="m-2 h-8 rounded-md border border-line bg-bg px-2.5 text-sm placeholder:text-faint"
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Turns"
        className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5"
      >
        {shown.map((turn, place) => (
          <Found
            key={turn.id}
            id={`${id}-${place}`}
            turn={turn}
            isHere={turn.number === here}
            chosen={place === at}
            onGo={() => onGo(turn.id)}
          />
        ))}
      </div>
      {shown.length === 0 && (
        <p className="px-3 pb-4 text-center text-sm text-muted">No turns match.</p>
      )}
    </>
  )
}

function Found({
  id,
  turn,
  isHere,
  chosen,
  onGo,
}: {
  id: string
  turn: TurnView
  isHere: boolean
  chosen: boolean
  onGo: () => void
}) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onClick={onGo}
      className="flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover aria-selected:bg-accent-soft"
    >
      <span className="tabular w-7 shrink-0 text-right text-xs text-muted">{turn.number}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {brief(turn.prompt, 80)}
      </span>
      {turn.checkpoint !== undefined && (
        <span className="flex items-center gap-1 text-xs text-accent">
          <Flag size={11} aria-hidden />
          {turn.checkpoint}
        </span>
      )}
      {turn.files.length > 0 && (
        <span className="tabular text-2xs text-muted">Δ {turn.files.length}</span>
      )}
      {isHere && <Badge tone="accent">here</Badge>}
      {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
    </div>
  )
}

function findTurns({ turns }: Line, filter: string): readonly TurnView[] {
  const word = filter.toLowerCase()
  return turns
    .filter(
      ({ prompt, checkpoints }) =>
        prompt.toLowerCase().includes(word) ||
        checkpoints.some((name) => name.toLowerCase().includes(word)),
    )
    .slice(-MAX_SHOWN)
}
