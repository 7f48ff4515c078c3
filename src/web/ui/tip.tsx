import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'

export function Tip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const isSilent = text === undefined || text === null
  return (
    <Tooltip.Root {...(isSilent ? { open: false } : {})}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md border border-line bg-surface px-2.5 py-1.5 text-xs text-ink shadow-high"
        >
          {text}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
