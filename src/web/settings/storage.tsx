import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, failureFrom } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { Button } from '../ui/button.tsx'
import { count, directoryName } from '../words.ts'
import { CleanUp, type KeptProject } from './clean-up.tsx'
import { dayOf, size } from './size.ts'
import { FreeSpace } from './free-space.tsx'

/** What each project uses of the quota, and what a clean-up would free. */
export function Storage() {
  const [cleaning, setCleaning] = useState<KeptProject | null>(null)
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
        <Used bytes={data.all} quota={data.quota} level={data.level} />
        <p className="text-muted">
          {size(data.all)} of {size(data.quota)}, of that {size(data.transcripts)} for copies of
          transcripts.
          {data.level !== 'fine' && ' New changes are not recorded once the limit is reached.'}
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
                <Waiting project={project} />
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
      <FreeSpace graceDays={data.graceDays} />
      {cleaning !== null && (
        <CleanUp project={cleaning} graceDays={data.graceDays} onClose={() => setCleaning(null)} />
      )}
    </>
  )
}

function whyNot({ collectable }: KeptProject): string | undefined {
  if (collectable === null)
    return 'Its store cannot be read. Run `retake check` in a terminal for details.'
  if (collectable.aside.contents + collectable.deleted.contents > 0) return undefined
  return collectable.waiting.contents > 0
    ? `Unneeded contents are set aside until ${dayOf(collectable.waiting.from)}.`
    : 'Nothing to delete: everything is needed to undo, redo and switch.'
}

/** Contents that a clean-up set aside still use space, so they are listed until deleted. */
function Waiting({ project: { collectable } }: { project: KeptProject }) {
  if (collectable === null || collectable.waiting.contents === 0) return null
  const { contents, bytes, from } = collectable.waiting
  return (
    <span className="block text-xs text-muted">
      {count(contents, 'content')} ({size(bytes)}) set aside; a clean-up after {dayOf(from)} deletes{' '}
      {contents === 1 ? 'it' : 'them'}.
    </span>
  )
}

function Used({ bytes, quota, level }: { bytes: number; quota: number; level: string }) {
  const share = Math.min(1, bytes / quota)
  return (
    <div
      role="meter"
      aria-label="Storage used"
      aria-valuemin={0}
      aria-valuemax={quota}
      aria-valuenow={Math.min(bytes, quota)}
      aria-valuetext={`${size(bytes)} of ${size(quota)}`}
      className="mb-1.5 h-2 overflow-hidden rounded-full border border-line bg-sunken"
    >
      <div
        className={`h-full min-w-1 ${level === 'fine' ? 'bg-accent' : 'bg-warn'}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}
