import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReceiptView } from '#protocol'
import { client } from '../connection/connection.ts'
import { keys, queries } from '../connection/queries.ts'
import { doneWords } from '../plan/plan-words.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { notify } from '../ui/toasts.tsx'
import { clearSelection } from './selection.ts'

export type SessionEdit =
  | { readonly kind: 'rename'; readonly session: string; readonly title: string }
  | { readonly kind: 'archive' | 'unarchive' | 'delete'; readonly sessions: readonly string[] }

/** Renames, archives or hides sessions. Each is an operation that the toast can undo. */
export function useEditSessions(onDone?: () => void): (edit: SessionEdit) => void {
  const navigate = useNavigate()
  const { session: current } = useParams({ strict: false })
  const { mutate } = useMutation({
    mutationFn: perform,
    onSuccess(receipts, edit) {
      clearSelection()
      refresh()
      const done = receipts.filter(({ operation }) => operation !== null)
      notify({
        kind: 'done',
        title: (done.length === 0 ? receipts : done).map(doneWords).join('. ') || 'Nothing to do.',
        ...(done.length === 0
          ? {}
          : { action: { label: 'Undo', run: () => void undoReceipts(done) } }),
      })
      if (edit.kind === 'delete' && edit.sessions.includes(current ?? ''))
        void navigate({ to: '/' })
      onDone?.()
    },
    onError: (error) => showFailure(error),
  })
  return mutate
}

async function perform(edit: SessionEdit): Promise<readonly ReceiptView[]> {
  if (edit.kind === 'rename')
    return [await client().changeSession({ session: edit.session, title: edit.title })]
  const sessions = [...edit.sessions]
  const { receipts } =
    edit.kind === 'delete'
      ? await client().deleteSessions({ sessions })
      : await client().changeSessions({ sessions, archived: edit.kind === 'archive' })
  return receipts
}

async function undoReceipts(receipts: readonly ReceiptView[]): Promise<void> {
  try {
    for (const { operation, session } of receipts)
      await client().undoOperation({ operation: String(operation), session })
    refresh()
  } catch (error) {
    showFailure(error)
  }
}

function refresh(): void {
  void queries.invalidateQueries({ queryKey: keys.sessions })
  void queries.invalidateQueries({ queryKey: keys.projects })
  void queries.invalidateQueries({ queryKey: ['status'] })
}
