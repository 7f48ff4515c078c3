import type { KeyboardEvent, ReactNode } from 'react'

interface ListAndDetailsProps {
  readonly list: ReactNode
  /** The list is being reloaded. */
  readonly busy?: boolean
  /** The details of the chosen row. */
  readonly children: ReactNode
}

/** A list with the chosen row's details beside it, or below it on narrow pages. */
export function ListAndDetails({ list, busy = false, children }: ListAndDetailsProps) {
  return (
    <div className="grid min-h-0 flex-1 grid-cols-1 content-start overflow-y-auto lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)] lg:content-stretch lg:overflow-hidden">
      <div
        className="border-line pb-6 max-lg:border-b max-lg:pb-2 lg:overflow-y-auto lg:border-r"
        onKeyDown={moveInList}
        aria-busy={busy}
      >
        {list}
      </div>
      {children}
    </div>
  )
}

/** Arrow keys, j and k move between rows, and choose the row they reach. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const row = rows[places[event.key] ?? -1]
  if (row === undefined) return
  event.preventDefault()
  row.focus()
  row.click()
}
