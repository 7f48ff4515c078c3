import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { client } from '../connection/connection.ts'
import { RowsAndDetails } from '../time/rows-and-details.tsx'
import { SessionView } from '../time/session-view.tsx'
import { NoSession } from '../time/time-frame.tsx'
import { ago, brief, count } from '../words.ts'
import { StashDetails } from './stash-details.tsx'
import { whereIs } from './stash-words.ts'

const route = getRouteApi('/stash')

/** The turns that operations left behind and that are not active now, to read or bring back. */
export function StashPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Stash" />
  return <Stash key={session} session={session} />
}

function Stash({ session }: { session: string }) {
  const { entry } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery({
    queryKey: ['time', 'stash', session],
    queryFn: () => client().stash({ session }),
    staleTime: 0,
    retry: false,
  })
  return (
    <SessionView session={session} name="Stash" query={query}>
      {({ entries }) => (
        <RowsAndDetails
          label="Stash"
          icon={History}
          items={entries}
          isNamed={({ id }) => String(id) === entry}
          row={(each) => ({
            key: each.id,
            title: brief(each.turns[0]!.prompt, 60),
            about: [count(each.turns.length, 'turn'), whereIs(each)],
            aside: ago(each.at),
          })}
          onChoose={({ id }) =>
            void navigate({ search: (old) => ({ ...old, entry: String(id) }), replace: true })
          }
          none="The stash is empty. Turns that you undo are listed here until they are active again."
        >
          {(chosen) => <StashDetails key={chosen.id} session={session} entry={chosen} />}
        </RowsAndDetails>
      )}
    </SessionView>
  )
}
