import { useState, type ReactNode } from 'react'
import { Lines } from './badge.tsx'
import { CopyButton } from './copy-button.tsx'
import { Chevron } from './fold-button.tsx'
import { PathText } from './path-text.tsx'

interface FileRowProps {
  readonly path: string
  /** What happens to the file, in front of its path. */
  readonly lead?: ReactNode
  /** Beside its path. */
  readonly notes?: ReactNode
  /** Below its path. */
  readonly why?: string | null
  /** In front of the line counts, on wide screens. */
  readonly figures?: ReactNode
  readonly lines?: { readonly added: number; readonly removed: number }
  /** Buttons at the end of the row. */
  readonly actions?: ReactNode
  /** Below the row, whether it is open or not. */
  readonly always?: ReactNode
  /** Whether the row starts open. */
  readonly begins?: boolean
  /** Its diff, rendered once the row is open. */
  readonly children: () => ReactNode
}

export const fileListStyle = 'overflow-hidden rounded-lg border border-line'

/** One file of a list, with its diff on demand. */
export function FileRow(props: FileRowProps) {
  const { path, lead, notes, why = null, figures, lines, actions, always, children } = props
  const [open, setOpen] = useState(props.begins ?? false)
  return (
    <li className="not-first:border-t not-first:border-line">
      <div className="group/file flex flex-wrap items-center">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 px-3 py-1 text-left text-xs -outline-offset-2 hover:bg-hover"
        >
          <Chevron open={open} className="text-faint" />
          {lead}
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2">
              <PathText path={path} />
              {notes}
            </span>
            {why !== null && <span className="block text-muted">{why}</span>}
          </span>
          {figures !== undefined && (
            <span className="tabular hidden shrink-0 text-right text-2xs text-muted sm:block">
              {figures}
            </span>
          )}
          {lines !== undefined && <Lines {...lines} />}
        </button>
        <CopyButton
          text={path}
          what="path"
          small
          className="opacity-0 group-hover/file:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
        />
        {actions}
      </div>
      {always}
      {open && <div className="border-t border-line bg-sunken">{children()}</div>}
    </li>
  )
}
