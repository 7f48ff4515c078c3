import { useMutation, useQuery } from '@tanstack/react-query'
import { client, failureFrom } from '../connection/connection.ts'
import { ownBrowser } from '../connection/browser-key.ts'
import { queries } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { showFailure } from '../plan/show-receipt.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ago } from '../words.ts'

const KEY = ['browsers']

/** The browsers that are signed in, each with a button to sign it out. */
export function SignedIn() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => ({
      browsers: (await client().browsers({})).browsers,
      own: await ownBrowser(),
    }),
    staleTime: 0,
    retry: false,
  })
  const signOut = useMutation({
    mutationFn: (browser: string | null) =>
      browser === null ? client().signOutBrowsers({}) : client().signOutBrowser({ browser }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: KEY }),
    onError: (failed) => showFailure(failed),
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  return (
    <>
      <p className="text-sm text-muted">
        A browser signs in once, by a link that <code className="font-mono text-xs">retake</code>{' '}
        prints, and stays signed in on this machine for 90 days after its last visit.
      </p>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {data?.browsers.map(({ id, name, usedAt }) => (
          <li
            key={id}
            className="flex items-center gap-3 px-3 py-2 text-sm not-first:border-t not-first:border-line"
          >
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {id === data.own && <Badge tone="accent">this browser</Badge>}
            <span className="text-xs text-muted">last used {ago(usedAt)}</span>
            <Button size="small" aria-label={`Sign out ${name}`} onClick={() => signOut.mutate(id)}>
              Sign out
            </Button>
          </li>
        ))}
        {data?.browsers.length === 0 && (
          <li className="px-3 py-2 text-sm text-muted">None. This tab is signed in by its link.</li>
        )}
      </ul>
      {data !== undefined && data.browsers.length > 0 && (
        <Button
          size="small"
          variant="danger"
          className="self-start"
          onClick={() => signOut.mutate(null)}
        >
          Sign out all
        </Button>
      )}
    </>
  )
}
