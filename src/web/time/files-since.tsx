import { useQuery } from '@tanstack/react-query'
import { FileClock } from 'lucide-react'
import { client, failureFrom, useIsUp } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { ask } from '../plan/planning.ts'
import { Button } from '../ui/button.tsx'
import { count } from '../words.ts'
import { FileFolds } from './file-folds.tsx'

interface FilesSinceProps {
  readonly session: string
  readonly turn: string
}

/** The files as they were after a turn, compared with now. Viewing changes nothing. */
export function FilesSince({ session, turn }: FilesSinceProps) {
  const isUp = useIsUp()
  const key = ['time', 'since', session, turn]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => client().filesSince({ session, turn }),
    staleTime: 0,
    retry: false,
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <p className="text-sm text-muted">Comparing the files…</p>
  const { files } = data
  return (
    <section aria-label="Files then against now" className="flex flex-col gap-2.5">
      <h3 className="text-sm font-semibold">
        {files.length === 0
          ? 'No files changed since then'
          : `${count(files.length, 'file')} ${files.length === 1 ? 'is' : 'are'} not what ${files.length === 1 ? 'it was' : 'they were'} then`}
      </h3>
      {files.length > 0 && (
        <>
          <p className="text-xs text-muted">Red: then. Green: now. Viewing changes nothing.</p>
          <FileFolds
            files={files}
            unhiding={{
              key,
              read: async () => (await client().filesSince({ session, turn, reveal: 'yes' })).files,
            }}
            actions={(path) => (
              <Button
                size="small"
                unavailable={isUp ? undefined : 'Retake is not connected.'}
                onClick={() => ask({ session, body: { verb: 'restore', files: [path], at: turn } })}
              >
                <FileClock size={13} aria-hidden />
                Restore this file…
              </Button>
            )}
          />
        </>
      )}
    </section>
  )
}
