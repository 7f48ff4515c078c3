import { ChevronLeft, ChevronRight, Split } from 'lucide-react'
import { Tip } from '../ui/tip.tsx'
import type { TurnView } from './read-line.ts'
import type { TurnContext } from './turn-context.ts'
import { showTry } from './tries.ts'

interface ForkChipProps {
  readonly turn: TurnView
  readonly siblings: readonly TurnView[]
  readonly context: TurnContext
}

/** ‹1/2›: which try at this turn is current. Arrows show the others in place, the middle all. */
export function ForkChip({ turn, siblings, context }: ForkChipProps) {
  const place = siblings.indexOf(turn)
  const step = (by: number) => () => showTry(context.line, turn, by)
  const arrow = 'flex h-5 items-center px-0.5 text-muted hover:bg-hover hover:text-ink'
  return (
    <span className="inline-flex shrink-0 items-center overflow-hidden rounded border border-line bg-surface text-2xs">
      <button type="button" aria-label="Previous try" className={arrow} onClick={step(-1)}>
        <ChevronLeft size={12} />
      </button>
      <Tip text={`${siblings.length} tries at this turn; show all`}>
        <button
          type="button"
          aria-label={`Try ${place + 1}/${siblings.length}: show all`}
          onClick={() => context.openBranches(turn)}
          className="tabular flex h-5 items-center gap-1 border-x border-line px-1.5 font-medium text-accent hover:bg-hover"
        >
          <Split size={11} aria-hidden />
          {place + 1}/{siblings.length}
        </button>
      </Tip>
      <button type="button" aria-label="Next try" className={arrow} onClick={step(1)}>
        <ChevronRight size={12} />
      </button>
    </span>
  )
}
