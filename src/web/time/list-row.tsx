import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface ListRowProps {
  /** The time, in front of everything else. */
  readonly when?: ReactNode
  readonly icon: LucideIcon
  readonly title: string
  readonly badge?: ReactNode
  readonly about: readonly string[]
  readonly aside?: ReactNode
  readonly chosen: boolean
  readonly onChoose: () => void
}

/** One row of a list with details beside it. */
export function ListRow({ when, icon: Icon, title, badge, about, aside, ...row }: ListRowProps) {
  return (
    <li>
      <button
        type="button"
        data-row
        aria-current={row.chosen || undefined}
        onClick={row.onChoose}
        className="flex w-full items-start gap-3 border-l-2 border-transparent px-5 py-2 text-left -outline-offset-2 hover:bg-hover aria-[current]:border-accent aria-[current]:bg-accent-soft"
      >
        {when}
        <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate text-sm font-medium">{title}</span>
            {badge}
          </span>
          {about.length > 0 && (
            <span className="block truncate text-xs text-muted">{about.join(' · ')}</span>
          )}
        </span>
        {aside !== undefined && (
          <span className="tabular shrink-0 pt-px text-2xs text-muted">{aside}</span>
        )}
      </button>
    </li>
  )
}
