import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Info, RefreshCw, TriangleAlert } from 'lucide-react'
import { wordRemedy } from '#failure'
import type { DoctorView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Failed } from '../plan/failed.tsx'
import { InlineCode } from '../plan/inline-code.tsx'
import { Button } from '../ui/button.tsx'
import { onPage } from '../ui/page-words.ts'

const STYLES = {
  fine: { icon: CircleCheck, tone: 'text-added', says: 'fine' },
  note: { icon: Info, tone: 'text-warn', says: 'note' },
  wrong: { icon: TriangleAlert, tone: 'text-removed', says: 'wrong' },
}

/** The findings of `retake doctor`: agent and version, hooks, settings, store, disk. */
export function Health() {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['doctor'],
    queryFn: () => client().doctor({}),
    staleTime: 30_000,
    retry: false,
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  return (
    <>
      <ul
        aria-busy={isFetching}
        className="overflow-hidden rounded-lg border border-line bg-surface"
      >
        {data === undefined && <li className="px-3 py-2 text-sm text-muted">Checking…</li>}
        {data?.findings.map((finding) => (
          <FindingLine key={`${finding.about} ${finding.says}`} finding={finding} />
        ))}
      </ul>
      <Button
        size="small"
        className="self-start"
        unavailable={isFetching ? 'Checking…' : undefined}
        onClick={() => void refetch()}
      >
        <RefreshCw size={13} aria-hidden />
        Check again
      </Button>
    </>
  )
}

function FindingLine({ finding }: { finding: DoctorView['findings'][number] }) {
  const { icon: Icon, tone, says } = STYLES[finding.state]
  return (
    <li className="flex gap-3 px-3 py-2 text-sm not-first:border-t not-first:border-line">
      <Icon size={16} aria-label={says} role="img" className={`mt-0.5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <p className="break-words">
          <InlineCode text={finding.says} />
        </p>
        {finding.cure !== null && (
          <p className="text-muted">
            <InlineCode text={wordRemedy(finding.remedy ?? finding.cure, onPage)} />
          </p>
        )}
      </div>
    </li>
  )
}
