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

/** Shows the dry run and asks first, because deletion is final. */
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
        body: `${size(done.aside.bytes)} set aside, ${size(done.deleted.bytes)} deleted.`,
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
            variant="danger"
            unavailable={clean.isPending ? 'Working…' : undefined}
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
            {count(aside.contents, 'content')} ({size(aside.bytes)}) that nothing needs are set
            aside, and deleted by a clean-up after {graceDays} days.
          </li>
          <li>
            {count(deleted.contents, 'content')} ({size(deleted.bytes)}) that are already set aside
            are deleted for good.
          </li>
          {waiting.contents > 0 && (
            <li>
              {count(waiting.contents, 'content')} ({size(waiting.bytes)}) that are already set
              aside stay until {dayOf(waiting.from)}.
            </li>
          )}
          <li>
            {operations === 0
              ? 'Every operation can still be undone.'
              : `${count(operations, 'operation')} can no longer be undone.`}
          </li>
        </ul>
        <p className="text-muted">Your files and the transcripts are not changed.</p>
      </div>
    </Dialog>
  )
}
