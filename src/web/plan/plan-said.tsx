import { TriangleAlert } from 'lucide-react'
import type { PlanView } from '#protocol'
import { clock, count } from '../words.ts'
import { InlineCode } from './inline-code.tsx'

export function Facts({ plan }: { plan: PlanView }) {
  const changed = plan.files.filter(({ verb }) => verb !== 'skip').length
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {plan.target !== undefined && (
        <>
          <dt className="text-muted">Prompt</dt>
          <dd className="min-w-0 truncate">
            “{plan.target.prompt.split('\n', 1)[0]}”{' '}
            <span className="text-muted">{clock(plan.target.at)}</span>
          </dd>
        </>
      )}
      <dt className="text-muted">Passes</dt>
      <dd className="tabular">
        {count(plan.turns, 'turn')}
        {plan.messages > 0 && ` · ${count(plan.messages, 'message')}`} · {count(changed, 'file')}
      </dd>
    </dl>
  )
}

export function Unsure({
  plan,
  included,
  onChange,
}: {
  plan: PlanView
  included: boolean
  onChange: (included: boolean) => void
}) {
  const paths = plan.unsure ?? []
  if (paths.length === 0 && !included) return null
  return (
    <label className="flex gap-2.5 rounded-lg border border-warn-line bg-warn-soft p-3 text-sm">
      <input
        type="checkbox"
        checked={included}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 accent-accent"
      />
      <span>
        Also take changes of which it is not sure that these turns made them
        {paths.length > 0 && (
          <span className="block font-mono text-xs break-all text-muted">{paths.join(', ')}</span>
        )}
      </span>
    </label>
  )
}

export function Said({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <section className="rounded-lg border border-warn-line bg-warn-soft p-3 text-sm">
      <h3 className="mb-1 flex items-center gap-1.5 text-xs font-semibold text-warn">
        <TriangleAlert size={13} aria-hidden />
        {title}
      </h3>
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="break-words">
            <InlineCode text={line} />
          </li>
        ))}
      </ul>
    </section>
  )
}
