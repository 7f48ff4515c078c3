import type { ReactNode } from 'react'

const TONES = {
  plain: 'border-line bg-sunken text-muted',
  accent: 'border-accent-line bg-accent-soft text-accent',
  warn: 'border-warn-line bg-warn-soft text-warn',
  undone: 'border-dashed border-line-strong bg-transparent text-muted',
  removed: 'border-transparent bg-removed-soft text-removed',
  added: 'border-transparent bg-added-soft text-added',
}

export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: keyof typeof TONES
  children: ReactNode
}) {
  return (
    <span
      className={`inline-flex h-5 shrink-0 items-center gap-1 rounded border px-1.5 text-2xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}

/** The numbers of added and removed lines. */
export function Lines({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="tabular shrink-0 font-mono text-2xs whitespace-nowrap">
      {added > 0 && <span className="text-added">+{added}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="text-removed">−{removed}</span>}
    </span>
  )
}
