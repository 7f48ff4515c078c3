import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** An entry of the palette. */
export interface Option {
  readonly id: string
  readonly group: 'Turns' | 'Files' | 'Sessions' | 'Do'
  readonly icon: LucideIcon
  readonly label: ReactNode
  readonly detail?: ReactNode
  readonly aside?: ReactNode
  readonly shortcut?: string
  readonly run: () => void
}
