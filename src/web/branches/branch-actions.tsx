import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Crown, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { BranchesView, ReceiptView } from '#protocol'
import { client } from '../connection/connection.ts'
import { refreshSession } from '../connection/refresh.ts'
import { doneWords } from '../plan/plan-words.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { Button } from '../ui/button.tsx'
import { notify } from '../ui/toasts.tsx'
import { count } from '../words.ts'
import { withBranchNames } from './branch-name.ts'

type Branch = BranchesView['branches'][number]

interface BranchActionsProps {
  readonly session: string
  readonly branch: Branch
  /** Number of turns after the fork. */
  readonly turns: number
}

/** Rename, archive, make main, hide. No turn moves, and each can be undone. */
export function BranchActions({ session, branch, turns }: BranchActionsProps) {
  const [editing, setEditing] = useState<'name' | 'delete' | null>(null)
  const [name, setName] = useState(branch.name ?? '')
  const { mutate } = useMutation({
    mutationFn: (act: () => Promise<ReceiptView>) => act(),
    onSuccess(receipt) {
      setEditing(null)
      refreshSession(session, 'everything')
      notify({
        kind: 'done',
        title: doneWords(withBranchNames(receipt)),
        action: {
          label: 'Undo',
          run: () =>
            void client()
              .undoOperation({ operation: String(receipt.operation), session })
              .then(() => refreshSession(session, 'everything'))
              .catch((error: unknown) => showFailure(error)),
        },
      })
    },
    onError: (error) => showFailure(error),
  })
  const at = { branch: branch.id, session }
  if (editing === 'name')
    return (
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(() => client().changeBranch({ ...at, name }))
        }}
      >
        <input
          autoFocus
          aria-label="Name of the branch"
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="h-8 w-52 rounded-md border border-line-strong bg-surface px-2.5 text-sm"
        />
        <Button type="submit" unavailable={name.trim() === '' ? 'Type a name.' : undefined}>
          Rename
        </Button>
        <Button variant="quiet" onClick={() => setEditing(null)}>
          Cancel
        </Button>
      </form>
    )
  if (editing === 'delete')
    return (
      <div className="flex items-center gap-2 text-sm">
        Hide this branch with {count(turns, 'turn')}? The transcript keeps them.
        <Button variant="danger" autoFocus onClick={() => mutate(() => client().deleteBranch(at))}>
          Hide
        </Button>
        <Button variant="quiet" onClick={() => setEditing(null)}>
          Cancel
        </Button>
      </div>
    )
  const archived = branch.archived
  return (
    <div className="flex items-center gap-1">
      <Button variant="quiet" onClick={() => setEditing('name')}>
        <Pencil size={14} aria-hidden />
        Rename
      </Button>
      <Button
        variant="quiet"
        unavailable={branch.current ? 'The session is on this branch.' : undefined}
        onClick={() => mutate(() => client().changeBranch({ ...at, archived: !archived }))}
      >
        {archived ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />}
        {archived ? 'Unarchive' : 'Archive'}
      </Button>
      <Button
        variant="quiet"
        unavailable={branch.canonical ? 'This is already the main branch.' : undefined}
        onClick={() => mutate(() => client().makeCanonical(at))}
      >
        <Crown size={14} aria-hidden />
        Make main
      </Button>
      <Button
        variant="quiet"
        unavailable={branch.current ? 'The session is on this branch.' : undefined}
        onClick={() => setEditing('delete')}
      >
        <Trash2 size={14} aria-hidden />
        Hide…
      </Button>
    </div>
  )
}
