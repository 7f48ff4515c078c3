import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReceiptView } from '#protocol'
import { client } from '../connection/connection.ts'
import { keys, queries } from '../connection/queries.ts'
import { doneWords } from '../plan/plan-words.ts'
import { tellFailure } from '../plan/tell-receipt.tsx'
import { notify } from '../ui/toasts.tsx'
import { clearSelection } from './selection.ts'

export type Care =
  | { readonly kind: 'rename'; readonly session: string; readonly title: string }
  | { readonly kind: 'archive' | 'unarchive' | 'delete'; readonly sessions: readonly string[] }

/** Renames, archives or hides sessions. Each is an operation that the toast can undo. */
export function useCare(onDone?: () => void): (care: Care) => void {
  const navigate = useNavigate()
  const { session: current } = useParams({ strict: false })
  const { mutate } = useMutation({
    mutationFn: perform,
    onSuccess(receipts, care) {
      clearSelection()
      refresh()
      const done = receipts.filter(({ operation }) => operation !== null)
      notify({
        kind: 'done',
        title: (done.length === 0 ? receipts : done).map(doneWords).join('. ') || 'Nothing to do.',
        ...(done.length === 0 ? {} : { action: { label: 'Undo', run: () => void takeBack(done) } }),
      })
      if (care.kind === 'delete' && care.sessions.includes(current ?? ''))
        void navigate({ to: '/' })
      onDone?.()
    },
    onError: (error) => tellFailure(error),
  })
  return mutate
}

async function perform(care: Care): Promise<readonly ReceiptView[]> {
  if (care.kind === 'rename')
    return [await client().changeSession({ session: care.session, title: care.title })]
  const sessions = [...care.sessions]
  const { receipts } =
    care.kind === 'delete'
      ? await client().deleteSessions({ sessions })
      : await client().changeSessions({ sessions, archived: care.kind === 'archive' })
  return receipts
}

async function takeBack(receipts: readonly ReceiptView[]): Promise<void> {
  try {
    for (const { operation, session } of receipts)
      await client().undoOperation({ operation: String(operation), session })
    refresh()
  } catch (error) {
    tellFailure(error)
  }
}

function refresh(): void {
  void queries.invalidateQueries({ queryKey: keys.sessions })
  void queries.invalidateQueries({ queryKey: keys.projects })
  void queries.invalidateQueries({ queryKey: ['status'] })
}
