import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListAndDetails } from './list-and-details.tsx'
import { ListRow } from './list-row.tsx'
import { Nothing } from './session-view.tsx'

interface Row {
  readonly key: string | number
  readonly title: string
  readonly about: readonly string[]
  readonly aside: ReactNode
}

interface RowsAndDetailsProps<Item> {
  readonly label: string
  readonly icon: LucideIcon
  readonly items: readonly Item[]
  /** Whether the URL names this item; if it names none, the first is chosen. */
  readonly isNamed: (item: Item) => boolean
  readonly row: (item: Item) => Row
  readonly onChoose: (item: Item) => void
  /** Shown if there are no items. */
  readonly none: ReactNode
  /** The details of the chosen one. */
  readonly children: (chosen: Item) => ReactNode
}

/** A list with details, in which one item is always chosen. */
export function RowsAndDetails<Item>(props: RowsAndDetailsProps<Item>) {
  const { label, icon, items, isNamed, row, onChoose, none, children } = props
  const chosen = items.find(isNamed) ?? items[0]
  if (chosen === undefined) return <Nothing>{none}</Nothing>
  return (
    <ListAndDetails
      list={
        <ol aria-label={label} className="pt-3">
          {items.map((item) => {
            const { key, ...shown } = row(item)
            return (
              <ListRow
                key={key}
                icon={icon}
                {...shown}
                chosen={item === chosen}
                onChoose={() => onChoose(item)}
              />
            )
          })}
        </ol>
      }
    >
      {children(chosen)}
    </ListAndDetails>
  )
}
