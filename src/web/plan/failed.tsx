import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { wordRemedy, type Failure } from '#failure'
import { Button } from '../ui/button.tsx'
import { onPage } from '../ui/page-words.ts'
import { InlineCode } from './inline-code.tsx'

/** What went wrong, what to do next, details, and a retry button if that helps. */
export function Failed({
  failure,
  onRetry,
}: {
  failure: Failure
  onRetry?: () => void
}): ReactNode {
  return (
    <section role="alert" className="rounded-lg border border-line bg-removed-soft p-3 text-sm">
      <p className="flex items-start gap-2 font-medium">
        <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-removed" />
        <InlineCode text={failure.message} />
      </p>
      {failure.hint !== undefined && (
        <p className="mt-1 pl-6 text-ink">
          <InlineCode text={wordRemedy(failure.hint, onPage)} />
        </p>
      )}
      <div className="mt-2 flex items-start gap-3 pl-6">
        {onRetry !== undefined && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )}
        <details className="min-w-0 flex-1 text-xs text-ink">
          <summary className="w-fit rounded py-1">Details</summary>
          <pre className="mt-1 overflow-x-auto font-mono whitespace-pre-wrap">
            {failure.code}
            {failure.details === undefined ? '' : `\n${JSON.stringify(failure.details, null, 2)}`}
          </pre>
        </details>
      </div>
    </section>
  )
}
