import { TriangleAlert } from 'lucide-react'
import { wordRemedy } from '#failure'
import type { PlanView } from '#protocol'
import { includable, sayLeft } from '#timeline'
import { onPage } from '../ui/page-words.ts'
import { clock, count } from '../words.ts'
import { InlineCode } from './inline-code.tsx'

const PASSES: Readonly<Record<string, string>> = {
  undo: 'Undoes',
  back: 'Undoes',
  rewind: 'Undoes',
  'op-undo': 'Undoes',
  redo: 'Redoes',
}

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
      <dt className="text-muted">{PASSES[plan.verb] ?? 'Covers'}</dt>
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
  const left = includable(plan.left)
  if (left.length === 0 && !included) return null
  return (
    <label className="flex gap-2.5 rounded-lg border border-warn-line bg-warn-soft p-3 text-sm">
      <input
        type="checkbox"
        checked={included}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 accent-accent"
      />
      <span>
        Include changes that may not be these turns’
        {left.map((each) => (
          <span key={each.path} className="block text-xs break-words text-muted">
            <span className="font-mono break-all">{each.path}</span>: {each.why}
          </span>
        ))}
      </span>
    </label>
  )
}

/** What the plan cannot reach, and what the user can do about it. */
export function notCovered({ left }: PlanView): string[] {
  return left
    .filter(({ include }) => include === undefined)
    .map((each) => wordRemedy(sayLeft(each), onPage))
}

export function directoryLines({ directories = [] }: PlanView): string[] {
  return directories.map(({ path, verb }) =>
    verb === 'create' ? `bring back \`${path}/\`` : `remove \`${path}/\``,
  )
}

export function PlanNotes({ title, lines }: { title: string; lines: readonly string[] }) {
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
