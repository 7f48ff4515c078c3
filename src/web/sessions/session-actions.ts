import { forSession } from '#protocol'
import { findAgent } from '../connection/agents.ts'
import { Archive, ArchiveRestore, Copy, Pencil, Terminal, Trash2 } from 'lucide-react'
import { copyText } from '../ui/copy-button.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { notify } from '../ui/toasts.tsx'
import type { SessionView } from './arrange-sessions.ts'
import type { SessionEdit } from './edit-sessions.ts'

interface Acting {
  readonly sessions: readonly SessionView[]
  readonly edit: (edit: SessionEdit) => void
  readonly rename: () => void
  readonly remove: () => void
}

/** Titles and archive marks of sessions are kept in the project's store. */
const GONE = 'The project’s directory does not exist, so Retake cannot store this. Create it first.'

/** Why these sessions cannot be renamed, archived or hidden; null if they can. */
export function whyNotEditable(sessions: readonly SessionView[]): string | null {
  return sessions.some(({ gone }) => gone) ? GONE : null
}

/** Menu items for one session, or for the selected ones. */
export function sessionActions({ sessions, edit, rename, remove }: Acting): MenuItem[] {
  const many = sessions.length > 1 ? ` ${sessions.length} sessions` : ''
  const ids = sessions.map(({ id }) => id)
  const archived = sessions.every((session) => session.archived)
  const live = sessions.find((session) => session.live !== null)
  const gone = whyNotEditable(sessions)
  return [
    {
      label: 'Rename…',
      icon: Pencil,
      shortcut: 'F2',
      unavailable: sessions.length > 1 ? 'Select a single session.' : gone,
      run: rename,
    },
    {
      label: `${archived ? 'Unarchive' : 'Archive'}${many}`,
      icon: archived ? ArchiveRestore : Archive,
      unavailable: gone,
      run: () => edit({ kind: archived ? 'unarchive' : 'archive', sessions: ids }),
    },
    {
      label: 'Open in terminal (copy command)',
      icon: Terminal,
      separate: true,
      unavailable: sessions.length > 1 ? 'Select a single session.' : null,
      run: () => void copyResume(sessions[0]!),
    },
    {
      label: 'Copy session id',
      icon: Copy,
      unavailable: sessions.length > 1 ? 'Select a single session.' : null,
      run: () => copied('Id', ids[0]!),
    },
    {
      label: `Hide${many}…`,
      icon: Trash2,
      shortcut: 'Del',
      separate: true,
      unavailable: live === undefined ? gone : `“${live.title}” is open in the agent.`,
      run: remove,
    },
  ]
}

async function copyResume({ id, agent }: SessionView): Promise<void> {
  const { resume, reopens } = await findAgent(agent)
  copied('Command', forSession(reopens ? `retake ${resume}` : resume, id))
}

function copied(what: string, text: string): void {
  void copyText(text).then((done) => done && notify({ kind: 'said', title: `${what} copied` }))
}
