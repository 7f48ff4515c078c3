import { useMutation } from '@tanstack/react-query'
import type { StorageView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { notify } from '../ui/toasts.tsx'
import { count, directoryName } from '../words.ts'
import { dayOf, size } from './size.ts'

export type KeptProject = StorageView['projects'][number]

/** The dry run, and the question: what is deleted is gone for good. */
export function CleanUp({
  project,
  graceDays,
  onClose,
}: {
  project: KeptProject
  graceDays: number
  onClose: () => void
}) {
  const { aside, deleted, waiting, operations, plan } = project.collectable!
  const clean = useMutation({
    mutationFn: () => client().collectGarbage({ store: project.key, plan }),
    onSuccess(done) {
      void queries.invalidateQueries({ queryKey: ['time'] })
      notify({
        kind: 'done',
        title: `Cleaned up ${directoryName(project.path)}`,
        body: `${size(done.aside.bytes)} put aside, ${size(done.deleted.bytes)} deleted.`,
      })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Clean up ${directoryName(project.path)}`}
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">This cannot be undone.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            unavailable={clean.isPending ? 'It is being done.' : undefined}
            onClick={() => clean.mutate()}
          >
            Clean up
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {clean.error !== null && <Failed failure={failureFrom(clean.error)} onRetry={onClose} />}
        <ul className="list-disc pl-5">
          <li>
            {count(aside.contents, 'content')} ({size(aside.bytes)}) that nothing needs are put
            aside, and deleted by a clean-up after {graceDays} days.
          </li>
          <li>
            {count(deleted.contents, 'content')} ({size(deleted.bytes)}) that were put aside before
            are deleted for good.
          </li>
          {waiting.contents > 0 && (
            <li>
              {count(waiting.contents, 'content')} ({size(waiting.bytes)}) that were put aside
              before stay until {dayOf(waiting.from)}.
            </li>
          )}
          <li>
            {operations === 0
              ? 'Every operation can be undone as before.'
              : `${count(operations, 'operation')} can no longer be undone.`}
          </li>
        </ul>
        <p className="text-muted">No file of yours and no transcript is touched.</p>
      </div>
    </Dialog>
  )
}
