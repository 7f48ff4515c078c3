import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { ContextMenu } from 'radix-ui'
import { useCallback, useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { MenuItems } from '../ui/menu.tsx'
import type { TurnView } from './read-line.ts'
import { turnActions } from './turn-actions.ts'
import type { TurnContext } from './turn-context.ts'
import { estimateHeight, TurnRow } from './turn-row.tsx'
import { useAnchor, type Align, type Anchoring } from './anchor.ts'
import { useJump } from './jump.ts'
import { useTurnKeys } from './turn-keys.ts'

interface TimelineProps {
  readonly context: TurnContext
  /** The turn that the URL names. */
  readonly linked: string | undefined
  /** Something is being written at the end, or older turns are loading. */
  readonly follow: boolean
  /** This window sent a prompt, so the list scrolls to its end. */
  readonly sent: boolean
  /** Older turns are not loaded yet. */
  readonly older: boolean
  /** Shown after the last turn, such as an answer that is being written. */
  readonly tail: ReactNode
}

/**
 * The turns of the current line. Renders only visible ones. They keep their position when older
 * turns load above or details arrive, and follow the end while an answer is written.
 */
export function Timeline({ context, linked, follow, sent, older, tail }: TimelineProps) {
  const { line } = context
  const { turns } = line
  const scroller = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<TurnView | null>(null)
  const [openFiles, setOpenFiles] = useState<ReadonlySet<string>>(new Set())
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    if (follow) setTouched(false)
  }, [follow])
  const virtual = useVirtualizer({
    count: turns.length + 1,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => (place === turns.length ? 40 : estimateHeight(turns[place]!)),
    getItemKey: (place) => turns[place]?.id ?? 'tail',
    overscan: 5,
    paddingStart: 12,
    paddingEnd: 24,
  })
  const anchoring = useAnchor({ scroller, virtual, turns, here: line.here, follow })
  useEffect(() => {
    if (sent) anchoring.toEnd()
  }, [sent, anchoring])
  const toggleFiles = useCallback((id: string) => {
    setOpenFiles((open) => {
      const next = new Set(open)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const goTo = useCallback(
    (place: number, align: Align = 'auto') => {
      const turn = turns[place]
      if (turn === undefined) return
      anchoring.toTurn(turn.id, align)
      focusWhenThere(scroller.current, turn.id)
    },
    [anchoring, turns],
  )
  useFirstPlace({ context, linked, goTo, anchoring })
  useJumps(turns, goTo)
  const goFirst = useGoFirst(older, goTo)
  useTurnKeys({ context, goTo, toggleFiles, goFirst })

  const onContextMenu = (event: MouseEvent): void => {
    const id = (event.target as Element).closest('[data-turn]')?.getAttribute('data-turn')
    const turn = id == null ? undefined : line.byId.get(id)
    if (turn === undefined) event.preventDefault()
    else setTarget(turn)
  }
  const items = virtual.getVirtualItems()
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={onContextMenu}>
        <div
          ref={scroller}
          onPointerDown={() => setTouched(true)}
          onWheel={() => setTouched(true)}
          onKeyDown={() => setTouched(true)}
          className="relative min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
        >
          <div
            role="feed"
            aria-label="Turns"
            className="relative w-full"
            style={{ height: virtual.getTotalSize() }}
          >
            {items.map(({ index, key, start }) => {
              const turn = turns[index]
              return (
                <div
                  key={key}
                  ref={virtual.measureElement}
                  data-index={index}
                  className="absolute top-0 left-0 w-full"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {turn === undefined ? (
                    tail
                  ) : (
                    <TurnRow
                      turn={turn}
                      place={index}
                      context={context}
                      resting={touched ? (virtual.isScrolling ? 'no' : 'yes') : 'at-first'}
                      linked={turn.id === linked}
                      filesOpen={openFiles.has(turn.id)}
                      onToggleFiles={toggleFiles}
                    />
                  )}
                </div>
              )
            })}
          </div>
          {(items.at(-1)?.index ?? turns.length) < turns.length - 1 && (
            <Button
              className="sticky bottom-3 left-1/2 z-10 -translate-x-1/2 rounded-full"
              onClick={() => anchoring.toEnd()}
            >
              <ArrowDown size={14} />
              {turns.length - 1 - items.at(-1)!.index} newer
            </Button>
          )}
        </div>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <MenuItems items={target === null ? [] : turnActions(context, target)} />
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

/** Starts at the turn that the URL names, else at the head. */
function useFirstPlace(known: {
  context: TurnContext
  linked: string | undefined
  goTo: (place: number, align: 'start' | 'center') => void
  anchoring: Anchoring
}): void {
  const { context, linked, goTo, anchoring } = known
  const { line, session } = context
  const done = useRef('')
  useEffect(() => {
    const wanted = `${session} ${linked ?? ''}`
    if (done.current === wanted || line.turns.length === 0) return
    const place = line.turns.findIndex(({ id }) => id === linked)
    // The linked turn may be an older one that loads a moment later.
    const mayCome = linked !== undefined && !line.byId.has(linked)
    if (mayCome && done.current === '') return
    done.current = wanted
    if (place >= 0) goTo(place, 'center')
    else if (line.here < line.turns.length - 1 && line.here >= 0)
      anchoring.toTurn(line.turns[line.here]!.id, 'center')
    else anchoring.toEnd()
  })
}

/** Scrolls to the turn of each `jumpTo`, also if it is the same turn again. */
function useJumps(
  turns: readonly TurnView[],
  goTo: (place: number, align: 'center') => void,
): void {
  const { turn, count } = useJump()
  const done = useRef(count)
  useEffect(() => {
    const place = turns.findIndex(({ id }) => id === turn)
    if (done.current === count || place === -1) return
    done.current = count
    goTo(place, 'center')
  }, [turn, count, turns, goTo])
}

/** Goes to the first turn; if it is not loaded yet, as soon as it is. */
function useGoFirst(older: boolean, goTo: (place: number, align: 'start') => void): () => void {
  const wanted = useRef(false)
  useEffect(() => {
    if (older || !wanted.current) return
    wanted.current = false
    goTo(0, 'start')
  }, [older, goTo])
  return useCallback(() => {
    if (older) wanted.current = true
    else goTo(0, 'start')
  }, [older, goTo])
}

/** A distant turn is rendered some frames after scrolling to it, so retry. */
function focusWhenThere(scroller: HTMLElement | null, id: string | undefined): void {
  let tries = 0
  const look = (): void => {
    const found = scroller?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(id ?? '')}"]`)
    if (found) found.focus({ preventScroll: true })
    else if (tries++ < 30) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
