import type { KeyboardEvent, MouseEvent } from 'react'
import { create } from 'zustand'

/** The selected sessions, and the one at which a range starts. */
interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

const none: Selection = { ids: new Set(), anchor: null }
export const useSelection = create<Selection>(() => none)

function select(ids: Iterable<string>): void {
  const list = [...ids]
  useSelection.setState({ ids: new Set(list), anchor: list.at(-1) ?? null })
}

export function clearSelection(): void {
  useSelection.setState(none)
}

function toggle(id: string): void {
  const { ids } = useSelection.getState()
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  useSelection.setState({ ids: next, anchor: id })
}

function extendTo(tree: HTMLElement, id: string): void {
  const all = sessionsIn(tree)
  const { anchor } = useSelection.getState()
  const from = anchor === null ? -1 : all.indexOf(anchor)
  const to = all.indexOf(id)
  if (from === -1 || to === -1) return toggle(id)
  const range = all.slice(Math.min(from, to), Math.max(from, to) + 1)
  useSelection.setState({ ids: new Set(range), anchor })
}

/** Ids of the listed sessions, from the top. */
function sessionsIn(tree: HTMLElement): string[] {
  return [...tree.querySelectorAll<HTMLElement>('[data-session]')].map(
    ({ dataset }) => dataset['session']!,
  )
}

export function sessionAt(target: EventTarget | null): string | undefined {
  const row = (target as Element | null)?.closest<HTMLElement>('[data-session]')
  return row?.dataset['session']
}

/** Ctrl or ⌘ adds one session, Shift a range; a plain click opens the session. */
export function selectByClick(event: MouseEvent<HTMLElement>): void {
  const id = sessionAt(event.target)
  if (id === undefined) return
  const adds = event.ctrlKey || event.metaKey
  if (!adds && !event.shiftKey) return clearSelection()
  event.preventDefault()
  event.stopPropagation()
  if (event.shiftKey) extendTo(event.currentTarget, id)
  else toggle(id)
}

/** Space selects, Shift+arrow extends, Ctrl+A selects all, Esc clears. False for other keys. */
export function selectByKey(event: KeyboardEvent<HTMLElement>): boolean {
  const id = sessionAt(event.target)
  const { ids } = useSelection.getState()
  if (event.key === 'Escape' && ids.size > 0) clearSelection()
  else if (id === undefined) return false
  else if (event.key === ' ') toggle(id)
  else if ((event.ctrlKey || event.metaKey) && event.key === 'a')
    select(sessionsIn(event.currentTarget))
  else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    const all = sessionsIn(event.currentTarget)
    const next = all[all.indexOf(id) + (event.key === 'ArrowDown' ? 1 : -1)]
    if (next === undefined) return true
    if (!ids.has(id)) toggle(id)
    extendTo(event.currentTarget, next)
    event.currentTarget
      .querySelector<HTMLElement>(`[data-session="${CSS.escape(next)}"] [data-session-link]`)
      ?.focus()
  } else return false
  event.preventDefault()
  return true
}
