import { usePlanning, ask } from '../plan/planning.ts'
import { usePreferences } from '../preferences.ts'
import { notify } from '../ui/toasts.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { forkPlaces, siblingsOf } from './read-line.ts'
import { showTry } from './tries.ts'
import { turnActions } from './turn-actions.ts'
import type { TurnContext } from './turn-context.ts'

interface Keys {
  readonly context: TurnContext
  readonly goTo: (place: number) => void
  readonly toggleFiles: (turn: string) => void
  /** Goes to the first turn of all, even if it is not loaded yet. */
  readonly goFirst: () => void
}

/**
 * The keys of the timeline. None of them moves the session at once: those that would, show the plan
 * first. Single keys and Ctrl-Z can be turned off.
 */
export function useTurnKeys(keys: Keys): void {
  const { singleKeys, undoKeys } = usePreferences()
  useKeyDown((event) => {
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    if (usePlanning.getState().wanted !== null) return
    const act = find(event, keys, { singleKeys, undoKeys })
    if (act === null) return
    event.preventDefault()
    act()
  })
}

function find(
  event: KeyboardEvent,
  { context, goTo, toggleFiles, goFirst }: Keys,
  on: { singleKeys: boolean; undoKeys: boolean },
): (() => void) | null {
  const { line, session } = context
  const { turns, here } = line
  const focused = document.activeElement?.closest('[data-turn]')?.getAttribute('data-turn')
  const at = turns.findIndex(({ id }) => id === focused)
  const turn = turns[at]
  const move = (place: number) => () => {
    if (place >= 0 && place < turns.length) goTo(place)
  }
  const redo = (all: boolean) => () => {
    const count = all ? { all: true } : {}
    unlessBlocked(context, () => ask({ session, body: { verb: 'redo', ...count }, byKey: true }))
  }
  const undo = () =>
    unlessBlocked(context, () => {
      if (turn?.state === 'active')
        ask({ session, body: { verb: 'rewind', turn: turn.id, before: true }, byKey: true })
      else ask({ session, body: { verb: 'undo' }, byKey: true })
    })
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && on.undoKeys)
    return event.shiftKey ? redo(false) : undo
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const start = at === -1 ? here : at
  if (turn !== undefined && event.target === document.activeElement) {
    if (event.key === 'ArrowDown') return move(at + 1)
    if (event.key === 'ArrowUp') return move(at - 1)
    if (event.key === 'Home') return goFirst
    if (event.key === 'End') return move(turns.length - 1)
  }
  if (!on.singleKeys) return null
  switch (event.key) {
    case 'j':
      return move(at === -1 ? here : at + 1)
    case 'k':
      return move(at === -1 ? here : at - 1)
    case 'u':
      return undo
    case 'm':
      return () => document.querySelector<HTMLElement>('[data-prompt]')?.focus()
    case 'r':
      return redo(false)
    case 'R':
      return redo(true)
    case '{':
    case '}': {
      const forks = forkPlaces(line)
      const next =
        event.key === '}'
          ? forks.find((place) => place > start)
          : forks.findLast((place) => place < start)
      return next === undefined ? null : move(next)
    }
    default:
      return turn === undefined ? null : onTurn(event.key, context, turn, toggleFiles)
  }
}

function onTurn(
  key: string,
  context: TurnContext,
  turn: TurnContext['line']['turns'][number],
  toggleFiles: (id: string) => void,
): (() => void) | null {
  const siblings = siblingsOf(context.line, turn)
  const beside = (by: number) => () => showTry(context.line, turn, by)
  switch (key) {
    case 'e': {
      const edit = turnActions(context, turn).find(({ shortcut }) => shortcut === 'e')
      return edit === undefined || typeof edit.unavailable === 'string' ? null : edit.run
    }
    case 'd':
      return () => toggleFiles(turn.id)
    case 'c':
      return () => unlessBlocked(context, () => context.nameTurn(turn))
    case 'b':
      return siblings.length > 1 ? () => context.openBranches(turn) : null
    case '[':
      return siblings.length > 1 ? beside(-1) : null
    case ']':
      return siblings.length > 1 ? beside(1) : null
    default:
      return null
  }
}

/** A key has no tooltip that says why it does nothing. */
function unlessBlocked({ blocked }: TurnContext, act: () => void): void {
  if (blocked === null) act()
  else notify({ kind: 'failed', title: blocked })
}

/** Radio buttons and checkboxes take no letters, so the page's keys still work on them. */
const TEXT = [
  'input:not([type=radio], [type=checkbox], [type=range])',
  'textarea',
  'select',
  '[role="menuitem"]',
].join()

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT))
}
