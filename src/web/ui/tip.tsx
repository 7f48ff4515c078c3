import { Tooltip } from 'radix-ui'
import { createContext, use, type ReactNode } from 'react'

const Container = createContext<HTMLElement | null>(null)

/** A modal dialog covers everything outside of it, so its tips must be rendered inside. */
export const TipContainer = Container.Provider

const closing = new WeakSet<Event>()

/** Whether this Escape closed a tip; the dialog around the tip may still react to the key. */
export function hasClosedTip(event: Event): boolean {
  return closing.has(event)
}

export function Tip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const isSilent = text === undefined || text === null
  return (
    <Tooltip.Root {...(isSilent ? { open: false } : {})}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal container={use(Container)}>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={(event) => closing.add(event)}
          className="z-50 max-w-72 rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs text-ink shadow-high"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
