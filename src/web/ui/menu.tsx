import { ContextMenu } from 'radix-ui'
import type { LucideIcon } from 'lucide-react'
import { Key } from './key.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon: LucideIcon
  readonly run: () => void
  readonly shortcut?: string
  /** Why it cannot be used now. */
  readonly unavailable?: string | null
  readonly separate?: boolean
}

export function MenuItems({ items }: { items: readonly MenuItem[] }) {
  return (
    <ContextMenu.Content
      collisionPadding={8}
      className="z-50 min-w-64 animate-appear rounded-lg border border-line bg-surface p-1 shadow-high"
    >
      {items.map(({ label, icon: Icon, run, shortcut, unavailable = null, separate }) => (
        <div key={label}>
          {separate === true && <ContextMenu.Separator className="my-1 h-px bg-line" />}
          <ContextMenu.Item
            disabled={unavailable !== null}
            onSelect={run}
            className="flex cursor-default items-center gap-2.5 rounded-md px-2 py-1.5 text-sm outline-none data-disabled:text-muted data-highlighted:bg-hover"
          >
            <Icon size={15} aria-hidden className="shrink-0 text-muted" />
            <span className="min-w-0 flex-1">
              {label}
              {unavailable !== null && (
                <span className="block text-xs text-muted">{unavailable}</span>
              )}
            </span>
            {shortcut !== undefined && <Key>{shortcut}</Key>}
          </ContextMenu.Item>
        </div>
      ))}
    </ContextMenu.Content>
  )
}
