import { ChevronLeft, ChevronRight, Split } from 'lucide-react'
import { Tip } from '../ui/tip.tsx'
import type { TurnView } from './read-line.ts'

interface ForkChipProps {
  readonly turn: TurnView
  readonly siblings: readonly TurnView[]
  readonly onOpen: (turn: TurnView) => void
}

/** Says that other lines begin where this one does, and which of them this is. */
export function ForkChip({ turn, siblings, onOpen }: ForkChipProps) {
  const place = siblings.indexOf(turn)
  const step = (by: number): void => {
    const next = siblings[(place + by + siblings.length) % siblings.length]
    if (next !== undefined) onOpen(next)
  }
  const arrow = 'flex h-5 items-center px-0.5 text-muted hover:bg-hover hover:text-ink'
  return (
    <span className="inline-flex items-center overflow-hidden rounded border border-line bg-surface text-2xs">
      <button type="button" aria-label="Previous branch" className={arrow} onClick={() => step(-1)}>
        <ChevronLeft size={12} />
      </button>
      <Tip text={`${siblings.length} branches begin here`}>
        <button
          type="button"
          aria-label={`Branch ${place + 1} of ${siblings.length}: show branches`}
          onClick={() => onOpen(turn)}
          className="tabular flex h-5 items-center gap-1 border-x border-line px-1.5 font-medium text-accent hover:bg-hover"
        >
          <Split size={11} aria-hidden />
          {place + 1}/{siblings.length}
        </button>
      </Tip>
      <button type="button" aria-label="Next branch" className={arrow} onClick={() => step(1)}>
        <ChevronRight size={12} />
      </button>
    </span>
  )
}
