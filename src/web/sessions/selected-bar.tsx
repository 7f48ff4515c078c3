import { Archive, ArchiveRestore, Trash2, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import type { SessionView } from './arrange-sessions.ts'
import { useEditSessions } from './edit-sessions.ts'
import { clearSelection } from './selection.ts'
import { whyNotEditable } from './session-actions.ts'

/** What can be done with the selected sessions. */
export function SelectedBar({
  sessions,
  onDelete,
}: {
  sessions: readonly SessionView[]
  onDelete: () => void
}) {
  const edit = useEditSessions()
  const whyNot = whyNotEditable(sessions)
  const ids = sessions.map(({ id }) => id)
  const allArchived = sessions.every(({ archived }) => archived)
  const Icon = allArchived ? ArchiveRestore : Archive
  return (
    <section
      aria-label="Selected sessions"
      className="flex flex-wrap items-center gap-1 border-t border-line bg-accent-soft px-3 py-2 text-xs"
    >
      <span role="status" className="tabular flex-1 font-medium">
        {sessions.length.toLocaleString('en')} chosen
      </span>
      <Button
        size="small"
        unavailable={whyNot}
        onClick={() => edit({ kind: allArchived ? 'unarchive' : 'archive', sessions: ids })}
      >
        <Icon size={12} aria-hidden />
        {allArchived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button size="small" variant="danger" unavailable={whyNot} onClick={onDelete}>
        <Trash2 size={12} aria-hidden />
        Hide…
      </Button>
      <Button
        size="small"
        variant="quiet"
        aria-label="Clear selection"
        className="!px-1"
        onClick={clearSelection}
      >
        <X size={13} />
      </Button>
    </section>
  )
}
