import { getRouteApi } from '@tanstack/react-router'
import { LoaderCircle } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSessions } from '../connection/queries.ts'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { ListAndDetails } from '../time/list-and-details.tsx'
import { Nothing, NotRead } from '../time/session-view.tsx'
import { ViewHeader } from '../time/time-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { directoryName } from '../words.ts'
import { OperationDetails } from './operation-details.tsx'
import { OperationRow } from './operation-row.tsx'
import { byDay, isNaming, sameProject, type OperationView } from './operation-words.ts'
import { useOperations } from './queries.ts'

const route = getRouteApi('/operations')
const PAGE = 100
const KINDS = { all: 'All', moves: 'Moves', names: 'Names' } as const

/** Retake's own history: every operation by day, with its files and a way to undo it. */
export function OperationsPage() {
  const { session, operation } = route.useSearch()
  const navigate = route.useNavigate()
  const [limit, setLimit] = useState(PAGE)
  const [kind, setKind] = useState<keyof typeof KINDS>('all')
  const query = useOperations(session, limit)
  const { data, isPlaceholderData } = query
  const sessions = useSessions().data?.sessions ?? []
  const own = sessions.find(({ id }) => id === session)
  const shown = useMemo(
    () =>
      (data?.operations ?? []).filter(
        (each) => kind === 'all' || isNaming(each) === (kind === 'names'),
      ),
    [data, kind],
  )
  // Other views of a session link to an operation by its number alone.
  const isMeant = ({ ref, id }: OperationView): boolean =>
    ref === operation || (session !== undefined && String(id) === operation)
  const chosen = shown.find(isMeant) ?? shown[0]
  const project = sessions.find(({ id }) => id === chosen?.session)?.project ?? null
  const choose = (ref: string): void =>
    void navigate({ search: (old) => ({ ...old, operation: ref }), replace: true })
  return (
    <main className="flex h-full min-w-0 flex-col">
      <ViewHeader
        session={own?.id}
        title={own?.title}
        name={`Operations${own === undefined ? '' : ` in ${directoryName(own.project)}`}`}
      >
        <Choice legend="Which operations" of={KINDS} value={kind} onChange={setKind} />
      </ViewHeader>
      <NotRead query={query} />
      {data !== undefined && shown.length === 0 && (
        <Nothing>
          {data.operations.length === 0
            ? 'No operations yet. Everything Retake does is listed here and can be undone.'
            : 'No operations of this kind.'}
        </Nothing>
      )}
      {shown.length > 0 && (
        <ListAndDetails
          busy={isPlaceholderData}
          list={
            <>
              {byDay(shown).map(({ name, operations }) => (
                <section key={name} aria-label={name}>
                  <h2 className="sticky top-0 bg-bg px-5 pt-4 pb-1.5 text-xs font-semibold text-muted">
                    {name}
                  </h2>
                  <ol>
                    {operations.map((each) => (
                      <OperationRow
                        key={each.ref}
                        operation={each}
                        others={data?.operations ?? []}
                        title={
                          session === undefined
                            ? sessions.find(({ id }) => id === each.session)?.title
                            : undefined
                        }
                        chosen={each === chosen}
                        onChoose={() => choose(each.ref ?? '')}
                      />
                    ))}
                  </ol>
                </section>
              ))}
              {data?.operations.length === limit && (
                <Button className="mx-5 mt-3" onClick={() => setLimit(limit + PAGE)}>
                  {isPlaceholderData && <LoaderCircle size={14} className="animate-spin" />}
                  Show older ones
                </Button>
              )}
            </>
          }
        >
          {chosen !== undefined && (
            <OperationDetails
              key={chosen.ref}
              operation={chosen}
              others={data?.operations ?? []}
              takenBackBy={data?.operations.find(
                (each) => sameProject(each, chosen) && each.inverts === chosen.id,
              )}
              session={sessions.find(({ id }) => id === chosen.session)}
              onChoose={choose}
            />
          )}
        </ListAndDetails>
      )}
      <PlanDialogs project={project} />
    </main>
  )
}
