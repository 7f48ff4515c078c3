import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** Points down when open. */
export function Chevron({ open, className = '' }: { open: boolean; className?: string }) {
  return (
    <ChevronRight
      size={13}
      aria-hidden
      className={`shrink-0 transition-transform ${open ? 'rotate-90' : ''} ${className}`}
    />
  )
}

interface FoldButtonProps {
  readonly open: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** A summary line that opens and closes what it summarizes. */
export function FoldButton({ open, onToggle, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="flex items-center gap-1.5 rounded-md py-0.5 pr-2 text-muted hover:text-ink"
    >
      <Chevron open={open} />
      {children}
    </button>
  )
}
