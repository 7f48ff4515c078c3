import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { usePreferences } from '../preferences.ts'
import { isTyping } from '../turns/turn-keys.ts'
import { Key } from '../ui/key.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { useViews, type View } from './views.ts'

/** The menu of the other views of a session, with their keys. */
export function TimeMenu({ session }: { session: string }) {
  const views = useViews(session)
  useViewKeys(views)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-transparent px-2 text-sm text-muted hover:bg-hover hover:text-ink">
        View
        <ChevronDown size={13} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-40 min-w-56 animate-appear rounded-lg border border-line bg-surface p-1 shadow-high"
        >
          {views.map(({ label, icon: Icon, shortcut, open }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={open}
              className="flex cursor-default items-center gap-2.5 rounded-md px-2 py-1.5 text-sm outline-none data-highlighted:bg-hover"
            >
              <Icon size={15} aria-hidden className="shrink-0 text-muted" />
              <span className="flex-1">{label}</span>
              <Key>{shortcut}</Key>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function useViewKeys(views: readonly View[]): void {
  const { singleKeys } = usePreferences()
  useKeyDown((event) => {
    if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    const view = views.find(({ shortcut }) => shortcut === event.key)
    if (view === undefined) return
    event.preventDefault()
    view.open()
  })
}
