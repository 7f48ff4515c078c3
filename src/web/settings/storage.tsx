import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StorageView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { notify } from '../ui/toasts.tsx'
import { count, directoryName } from '../words.ts'
import { size } from './size.ts'

type Project = StorageView['projects'][number]

/** What is kept of each project against the budget, and what a clean-up would free. */
export function Storage() {
  const [cleaning, setCleaning] = useState<Project | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['time', 'storage'],
    queryFn: () => client().storage({}),
    staleTime: 0,
    retry: false,
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <p className="text-sm text-muted">Measuring…</p>
  return (
    <>
      <div className="text-sm">
        <meter
          aria-label="Kept, of the budget"
          min={0}
          max={data.quota}
          high={data.quota * 0.8}
          value={data.all}
          className="h-3 w-full"
        />
        <p className="text-muted">
          {size(data.all)} of {size(data.quota)}, of that {size(data.transcripts)} for copies of
          transcripts.
          {data.level !== 'fine' && ' New changes are not captured once the budget is used up.'}
        </p>
      </div>
      {data.projects.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-surface">
          {data.projects.map((project) => (
            <li
              key={project.key}
              className="flex flex-wrap items-center gap-x-3 px-3 py-2 text-sm not-first:border-t not-first:border-line"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{directoryName(project.path)}</span>
                <span className="block truncate text-xs text-muted">{project.path}</span>
              </span>
              <span className="tabular text-xs text-muted">{size(project.bytes)}</span>
              <Button
                size="small"
                aria-label={`Clean up ${directoryName(project.path)}…`}
                unavailable={whyNot(project)}
                onClick={() => setCleaning(project)}
              >
                Clean up…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {cleaning !== null && (
        <CleanUp project={cleaning} graceDays={data.graceDays} onClose={() => setCleaning(null)} />
      )}
    </>
  )
}

function whyNot({ collectable }: Project): string | undefined {
  if (collectable === null) return 'Its store cannot be read; `retake check` says more.'
  if (collectable.aside.contents + collectable.deleted.contents > 0) return undefined
  return 'Nothing could go: all of it is needed to undo, redo and switch.'
}

/** The dry run, and the question: what is deleted is gone for good. */
function CleanUp({
  project,
  graceDays,
  onClose,
}: {
  project: Project
  graceDays: number
  onClose: () => void
}) {
  const { aside, deleted, operations, plan } = project.collectable!
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
