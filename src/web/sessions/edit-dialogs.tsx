import { useAgent } from '../connection/agents.ts'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { count } from '../words.ts'
import type { SessionView } from './arrange-sessions.ts'
import { useEditSessions } from './edit-sessions.ts'

export function RenameSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const { name } = useAgent(session.agent)
  const [title, setTitle] = useState(session.title)
  const edit = useEditSessions(onClose)
  const rename = (): void => {
    if (title.trim() !== '') edit({ kind: 'rename', session: session.id, title: title.trim() })
  }
  return (
    <Dialog
      title="Rename the session"
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">
            The title is Retake’s; {name} keeps its own.
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            unavailable={title.trim() === '' ? 'Type a title.' : undefined}
            onClick={rename}
          >
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rename()
        }}
      >
        <input
          data-autofocus
          aria-label="Title of the session"
          value={title}
          onFocus={({ target }) => target.select()}
          onChange={(event) => setTitle(event.target.value)}
          className="h-9 w-full rounded-md border border-line-strong bg-bg px-3 text-base"
        />
      </form>
    </Dialog>
  )
}

const NAMED = 12

export function DeleteSessions({
  sessions,
  onClose,
}: {
  sessions: readonly SessionView[]
  onClose: () => void
}) {
  const { name } = useAgent(sessions[0]?.agent)
  const edit = useEditSessions(onClose)
  return (
    <Dialog
      title={`Hide ${count(sessions.length, 'session')}?`}
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">This can be undone.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            data-autofocus
            onClick={() => edit({ kind: 'delete', sessions: sessions.map(({ id }) => id) })}
          >
            <Trash2 size={14} aria-hidden />
            Hide
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-1 text-sm">
        {sessions.slice(0, NAMED).map(({ id, title, turns }) => (
          <li key={id} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
            {turns !== null && <span className="text-muted">{count(turns, 'turn')}</span>}
          </li>
        ))}
        {sessions.length > NAMED && (
          <li className="text-muted">and {sessions.length - NAMED} more</li>
        )}
      </ul>
      <p className="mt-3 text-sm text-muted">
        Retake no longer lists {sessions.length === 1 ? 'it' : 'them'}. Your files and {name}’s
        transcripts stay, and {name} can still resume {sessions.length === 1 ? 'it' : 'them'}.
      </p>
    </Dialog>
  )
}
