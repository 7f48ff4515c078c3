import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, LoaderCircle } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { failureFrom } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { PlanDialogs } from '../plan/plan-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { directoryName } from '../words.ts'
import { OperationDetails } from './operation-details.tsx'
import { OperationRow } from './operation-row.tsx'
import { byDay, isNaming } from './operation-words.ts'
import { useOperations } from './queries.ts'

const route = getRouteApi('/operations')
const PAGE = 100
const KINDS = { all: 'All', moves: 'Moves', names: 'Names' } as const

/** Retake's own history: what it did, on what day, to which files; each can be looked at and undone. */
export function OperationsPage() {
  const { session, operation } = route.useSearch()
  const navigate = route.useNavigate()
  const [limit, setLimit] = useState(PAGE)
  const [kind, setKind] = useState<keyof typeof KINDS>('all')
  const { data, error, refetch, isPlaceholderData } = useOperations(session, limit)
  const sessions = useSessions().data?.sessions ?? []
  const own = sessions.find(({ id }) => id === session)
  const shown = useMemo(
    () =>
      (data?.operations ?? []).filter(
        (each) => kind === 'all' || isNaming(each) === (kind === 'names'),
      ),
    [data, kind],
  )
  const chosen = shown.find(({ ref }) => ref === operation) ?? shown[0]
  const project = sessions.find(({ id }) => id === chosen?.session)?.project ?? null
  const choose = (ref: string): void =>
    void navigate({ search: (old) => ({ ...old, operation: ref }), replace: true })
  return (
    <main className="flex h-full min-w-0 flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-5 py-2.5">
        {own !== undefined && (
          <Link
            to="/s/$session"
            params={{ session: own.id }}
            className="flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
          >
            <ArrowLeft size={14} aria-hidden />
            <span className="max-w-48 truncate">{own.title}</span>
          </Link>
        )}
        <h1 className="min-h-8 text-lg leading-8 font-semibold tracking-tight">
          Operations{own === undefined ? '' : ` in ${directoryName(own.project)}`}
        </h1>
        <span className="flex-1" />
        <Choice legend="Which operations" of={KINDS} value={kind} onChange={setKind} />
      </header>
      {error !== null && data === undefined && (
        <div className="mx-auto w-full max-w-lg p-8">
          <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined && shown.length === 0 && (
        <p className="p-10 text-center text-muted">
          {data.operations.length === 0
            ? 'Retake has done nothing here yet. What it does will be listed, and can be undone.'
            : 'None of this kind.'}
        </p>
      )}
      {shown.length > 0 && (
        <div className="grid min-h-0 flex-1 grid-cols-1 overflow-y-auto lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)] lg:overflow-hidden">
          <div
            className="border-line pb-6 lg:overflow-y-auto lg:border-r"
            onKeyDown={moveInList}
            aria-busy={isPlaceholderData}
          >
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
          </div>
          {chosen !== undefined && (
            <OperationDetails
              key={chosen.ref}
              operation={chosen}
              takenBackBy={data?.operations.find(
                (each) => sameProject(each, chosen) && each.inverts === chosen.id,
              )}
              session={sessions.find(({ id }) => id === chosen.session)}
              onChoose={choose}
            />
          )}
        </div>
      )}
      <PlanDialogs project={project} />
    </main>
  )
}

function sameProject(a: { ref?: string }, b: { ref?: string }): boolean {
  return a.ref?.split('.')[0] === b.ref?.split('.')[0]
}

/** Up and down go from operation to operation, and each is shown as one comes to it. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-operation]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const row = rows[places[event.key] ?? -1]
  if (row === undefined) return
  event.preventDefault()
  row.focus()
  row.click()
}
