import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, Flag } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useMemo, useState } from 'react'
import type { Line } from '../turns/read-line.ts'
import { Badge } from '../ui/badge.tsx'
import { brief } from '../words.ts'

/** "Turn 9 of 12", and the list behind it. */
export function TurnList({ session, line }: { session: string; line: Line }) {
  const [open, setOpen] = useState(false)
  const [filter, setFilter] = useState('')
  const navigate = useNavigate()
  const shown = useMemo(() => {
    const word = filter.toLowerCase()
    return line.turns
      .filter(
        ({ prompt, checkpoints }) =>
          prompt.toLowerCase().includes(word) ||
          checkpoints.some((name) => name.toLowerCase().includes(word)),
      )
      .slice(-300)
  }, [line, filter])
  const here = line.turns[line.here]?.number ?? 0
  const go = (turn: string): void => {
    setOpen(false)
    void navigate({ to: '/s/$session', params: { session }, search: { turn } })
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="tabular flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-transparent px-2 text-sm text-muted hover:bg-hover hover:text-ink">
        <span className="whitespace-nowrap">
          Turn {here} of {line.turns.length}
        </span>
        <ChevronDown size={13} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          aria-label="Turns"
          className="z-40 flex max-h-[60vh] w-96 max-w-[92vw] animate-appear flex-col rounded-lg border border-line bg-surface shadow-high outline-none"
        >
          <input
            type="search"
            aria-label="Find a turn"
            placeholder="Find a turn or a checkpoint"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className="m-2 h-8 rounded-md border border-line bg-bg px-2.5 text-sm placeholder:text-faint"
          />
          <ul className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5">
            {shown.map((turn) => (
              <li key={turn.id}>
                <button
                  type="button"
                  onClick={() => go(turn.id)}
                  aria-current={turn.number === here ? 'step' : undefined}
                  className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover aria-[current]:bg-accent-soft"
                >
                  <span className="tabular w-7 shrink-0 text-right text-xs text-muted">
                    {turn.number}
                  </span>
                  <span className="min-w-0 flex-1 truncate">{brief(turn.prompt, 80)}</span>
                  {turn.checkpoint !== undefined && (
                    <span className="flex items-center gap-1 text-xs text-accent">
                      <Flag size={11} aria-hidden />
                      {turn.checkpoint}
                    </span>
                  )}
                  {turn.files.length > 0 && (
                    <span className="tabular text-2xs text-muted">Δ {turn.files.length}</span>
                  )}
                  {turn.state === 'undone' && <Badge tone="undone">undone</Badge>}
                </button>
              </li>
            ))}
            {shown.length === 0 && (
              <li className="px-3 py-4 text-center text-sm text-muted">No turn fits.</li>
            )}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
