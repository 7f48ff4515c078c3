import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { NameTurn } from '../branches/name-turn.tsx'
import { client, failureFrom } from '../connection/connection.ts'
import { useSessions, useTurns } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { ListAndDetails } from '../time/list-and-details.tsx'
import { ListRow } from '../time/list-row.tsx'
import { NoSession, ViewHeader } from '../time/time-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { ago, brief } from '../words.ts'
import { CheckpointDetails } from './checkpoint-details.tsx'
import { placeOf } from './checkpoint-words.ts'

const route = getRouteApi('/checkpoints')

/** The turns that have names: what the files were then, and the way there. */
export function CheckpointsPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Checkpoints" />
  return <Checkpoints key={session} session={session} />
}

function Checkpoints({ session }: { session: string }) {
  const { name } = route.useSearch()
  const navigate = route.useNavigate()
  const own = (useSessions().data?.sessions ?? []).find(({ id }) => id === session)
  const { log } = useTurns(session)
  const here = log?.turns.find(({ id }) => id === log.head?.id)
  const [naming, setNaming] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['time', 'checkpoints', session],
    queryFn: () => client().checkpoints({ session }),
    staleTime: 0,
    retry: false,
  })
  // Newest first, as in every list of what was done.
  const list = (data?.checkpoints ?? []).toSorted((a, b) => (a.at < b.at ? 1 : -1))
  const chosen = list.find((each) => each.name === name) ?? list[0]
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader session={session} title={own?.title} name="Checkpoints">
        <Button
          unavailable={here === undefined ? 'The session stands at no turn.' : undefined}
          onClick={() => setNaming(true)}
        >
          <Flag size={14} aria-hidden />
          Name where you are…
        </Button>
      </ViewHeader>
      {error !== null && data === undefined && (
        <div className="mx-auto w-full max-w-lg p-8">
          <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && list.length === 0 && (
        <p className="p-10 text-center text-muted">
          No turn has a name yet. Press <Key>c</Key> on a turn to give it one: it can then stand
          wherever a turn can, here and in the terminal.
        </p>
      )}
      {chosen !== undefined && (
        <ListAndDetails
          list={
            <ol aria-label="Checkpoints" className="pt-3">
              {list.map((each) => (
                <ListRow
                  key={each.name}
                  icon={Flag}
                  title={each.name}
                  about={[placeOf(each), brief(each.prompt ?? '', 60)].filter(Boolean)}
                  aside={ago(each.at)}
                  chosen={each === chosen}
                  onChoose={() =>
                    void navigate({
                      search: (old) => ({ ...old, name: each.name }),
                      replace: true,
                    })
                  }
                />
              ))}
            </ol>
          }
        >
          <CheckpointDetails
            key={chosen.name}
            session={session}
            checkpoint={chosen}
            head={log?.head}
          />
        </ListAndDetails>
      )}
      {naming && here !== undefined && (
        <NameTurn session={session} turn={here} onClose={() => setNaming(false)} />
      )}
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}
