import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { brief, clock } from '../words.ts'
import type { Position } from './positions.ts'

interface ScrubberProps {
  readonly positions: readonly Position[]
  readonly place: number
  /** Index of the head; -1 if it is not on the line. */
  readonly here: number
  readonly onMove: (place: number) => void
  readonly children: ReactNode
}

/** Moves through the session by dragging or by arrow keys. */
export function Scrubber({ positions, place, here, onMove, children }: ScrubberProps) {
  const position = positions[place]!
  return (
    <section
      aria-label="Moment"
      className="flex flex-col gap-2 border-b border-line bg-surface px-5 pt-3 pb-2.5"
    >
      <div className="relative">
        <input
          type="range"
          aria-label="Moment of the session"
          aria-valuetext={wordsFor(position)}
          min={0}
          max={positions.length - 1}
          value={place}
          onChange={(event) => onMove(Number(event.target.value))}
          className="block w-full accent-accent"
        />
        {here >= 0 && positions.length > 1 && (
          <span
            aria-hidden
            className="pointer-events-none absolute -top-1.5 size-1.5 -translate-x-1/2 rounded-full bg-accent"
            style={{ left: `calc(8px + (100% - 16px) * ${here / (positions.length - 1)})` }}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0 flex-1 truncate max-sm:basis-full" aria-live="polite">
          {wordsFor(position)}
        </span>
        {place === here && <Badge tone="accent">here</Badge>}
        {place > here && here >= 0 && <Badge tone="undone">undone</Badge>}
        <span className="text-xs text-muted">{clock(position.turn?.at ?? null)}</span>
        {children}
      </div>
    </section>
  )
}

function wordsFor({ turn, step, path }: Position): string {
  if (turn === null) return 'Before the first turn'
  const where = step === undefined ? '' : `, change ${step[0]} of ${step[1]}: ${path}`
  return `Turn ${turn.number ?? ''}${where} · ${brief(turn.prompt, 70)}`
}
