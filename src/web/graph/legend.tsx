import { Flag } from 'lucide-react'

/** Explains the symbols of the graph. */
export function Legend() {
  const dot = 'inline-block size-2.5 rounded-full border-2'
  return (
    <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
      <li className="flex items-center gap-1.5">
        <span aria-hidden data-here className={`${dot} border-accent bg-accent`} />
        here
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden className={`${dot} border-accent`} />
        on the line
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden className={`${dot} border-dashed border-line-strong`} />
        undone or on another branch
      </li>
      <li className="flex items-center gap-1.5">
        <Flag size={12} aria-hidden className="fill-current text-accent" />
        checkpoint
      </li>
      <li className="flex items-center gap-1.5">
        <span aria-hidden className="w-6 border-t-2 border-dashed border-line-strong" />
        turns between
      </li>
    </ul>
  )
}
