import type { KeyboardEvent } from 'react'

/** The usual keys of a tree: up and down through open items, right opens, left closes. */
export function moveInTree(event: KeyboardEvent, tree: HTMLElement | null): void {
  const items = [...(tree?.querySelectorAll<HTMLElement>('[data-session-link]') ?? [])]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  const row = items[at]!.closest('[role="treeitem"]')
  const toggle = row?.querySelector<HTMLElement>('[data-toggle]')
  const expanded = row?.getAttribute('aria-expanded')
  const to =
    event.key === 'ArrowDown'
      ? at + 1
      : event.key === 'ArrowUp'
        ? at - 1
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? items.length - 1
            : -1
  if (event.key === 'ArrowRight' && expanded === 'false') toggle?.click()
  else if (event.key === 'ArrowLeft' && expanded === 'true') toggle?.click()
  else if (items[to] === undefined) return
  else items[to].focus()
  event.preventDefault()
}
