import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { NameTurn } from '../branches/name-turn.tsx'
import { client } from '../connection/connection.ts'
import { useTurns } from '../connection/queries.ts'
import { RowsAndDetails } from '../time/rows-and-details.tsx'
import { SessionView } from '../time/session-view.tsx'
import { NoSession } from '../time/time-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { ago, brief } from '../words.ts'
import { CheckpointDetails } from './checkpoint-details.tsx'
import { placeOf } from './checkpoint-words.ts'

const route = getRouteApi('/checkpoints')

/** Lists a session's checkpoints, with the files at each one compared to now. */
export function CheckpointsPage() {
  const { session } = route.useSearch()
  if (session === undefined) return <NoSession view="Checkpoints" />
  return <Checkpoints key={session} session={session} />
}

function Checkpoints({ session }: { session: string }) {
  const { name } = route.useSearch()
  const navigate = route.useNavigate()
  const { log } = useTurns(session)
  const here = log?.turns.find(({ id }) => id === log.head?.id)
  const [naming, setNaming] = useState(false)
  const query = useQuery({
    queryKey: ['time', 'checkpoints', session],
    queryFn: () => client().checkpoints({ session }),
    staleTime: 0,
    retry: false,
  })
  return (
    <>
      <SessionView
        session={session}
        name="Checkpoints"
        query={query}
        actions={
          <Button
            unavailable={here === undefined ? 'The session has no turn.' : undefined}
            onClick={() => setNaming(true)}
          >
            <Flag size={14} aria-hidden />
            Name where you are…
          </Button>
        }
      >
        {({ checkpoints }) => (
          <RowsAndDetails
            label="Checkpoints"
            icon={Flag}
            // Newest first, as in every list of past actions.
            items={checkpoints.toSorted((a, b) => (a.at < b.at ? 1 : -1))}
            isNamed={(each) => each.name === name}
            row={(each) => ({
              key: each.name,
              title: each.name,
              about: [placeOf(each), brief(each.prompt ?? '', 60)].filter(Boolean),
              aside: ago(each.at),
            })}
            onChoose={(each) =>
              void navigate({ search: (old) => ({ ...old, name: each.name }), replace: true })
            }
            none={
              <>
                No checkpoints yet. Press <Key>c</Key> on a turn to name it. You can use the name
                wherever a turn number works, here and in the terminal.
              </>
            }
          >
            {(chosen) => (
              <CheckpointDetails
                key={chosen.name}
                session={session}
                checkpoint={chosen}
                head={log?.head}
              />
            )}
          </RowsAndDetails>
        )}
      </SessionView>
      {naming && here !== undefined && (
        <NameTurn session={session} turn={here} onClose={() => setNaming(false)} />
      )}
    </>
  )
}
