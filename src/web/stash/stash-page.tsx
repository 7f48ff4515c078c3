import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { client, failureFrom } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { ListAndDetails } from '../time/list-and-details.tsx'
import { ListRow } from '../time/list-row.tsx'
import { NoSession, ViewHeader } from '../time/time-frame.tsx'
import { ago, brief, count } from '../words.ts'
import { StashDetails } from './stash-details.tsx'
import { whereIs } from './stash-words.ts'

const route = getRouteApi('/stash')

/** The turns that were gone back past and are not active again: read them, bring them back. */
export function StashPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Stash" />
  return <Stash key={session} session={session} />
}

function Stash({ session }: { session: string }) {
  const { entry } = route.useSearch()
  const navigate = route.useNavigate()
  const own = (useSessions().data?.sessions ?? []).find(({ id }) => id === session)
  const { data, error, refetch } = useQuery({
    queryKey: ['time', 'stash', session],
    queryFn: () => client().stash({ session }),
    staleTime: 0,
    retry: false,
  })
  const list = data?.entries ?? []
  const chosen = list.find(({ id }) => String(id) === entry) ?? list[0]
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader session={session} title={own?.title} name="Stash" />
      {error !== null && data === undefined && (
        <div className="mx-auto w-full max-w-lg p-8">
          <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && list.length === 0 && (
        <p className="p-10 text-center text-muted">
          Nothing was left behind: every turn is on the line. Turns that you undo are listed here
          until they are active again.
        </p>
      )}
      {chosen !== undefined && (
        <ListAndDetails
          list={
            <ol aria-label="Stash" className="pt-3">
              {list.map((each) => (
                <ListRow
                  key={each.id}
                  icon={History}
                  title={brief(each.turns[0]!.prompt, 60)}
                  about={[count(each.turns.length, 'turn'), whereIs(each)]}
                  aside={ago(each.at)}
                  chosen={each === chosen}
                  onChoose={() =>
                    void navigate({
                      search: (old) => ({ ...old, entry: String(each.id) }),
                      replace: true,
                    })
                  }
                />
              ))}
            </ol>
          }
        >
          <StashDetails key={chosen.id} session={session} entry={chosen} />
        </ListAndDetails>
      )}
      <PlanDialogs project={own?.project ?? null} />
    </main>
  )
}
