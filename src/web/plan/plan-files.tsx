import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  ChevronRight,
  Combine,
  FileMinus,
  FilePlus2,
  Minus,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react'
import { useId, useState } from 'react'
import type { PlanView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Diff } from '../turns/diff.tsx'
import { Lines } from '../ui/badge.tsx'
import { count, splitPath } from '../words.ts'
import { CHOICES, VERBS, wordsForWhy, type Choice, type FileView } from './plan-words.ts'

const ICONS = {
  restore: RotateCcw,
  create: FilePlus2,
  delete: FileMinus,
  merge: Combine,
  conflict: TriangleAlert,
  skip: Minus,
}
const TONES: Partial<Record<FileView['verb'], string>> = {
  delete: 'text-removed',
  conflict: 'text-warn',
  create: 'text-added',
}

interface PlanFilesProps {
  readonly plan: PlanView
  readonly choices: Readonly<Record<string, Choice>>
  readonly onChoose: (choices: Readonly<Record<string, Choice>>) => void
}

/** Each file of a plan: what becomes of it, its lines now and after, and the choice in a conflict. */
export function PlanFiles({ plan, choices, onChoose }: PlanFilesProps) {
  const order = plan.files
    .map((file, at) => ({ file, at }))
    .sort((a, b) => rank(a.file) - rank(b.file))
  return (
    <ul aria-label="Files" className="overflow-hidden rounded-lg border border-line">
      {order.map(({ file, at }) => (
        <FileLine
          key={file.path}
          plan={plan.id}
          file={file}
          at={at}
          choice={choices[file.path]}
          onChoose={(choice) => onChoose({ ...choices, [file.path]: choice })}
        />
      ))}
    </ul>
  )
}

/** What must be decided comes first, what is left alone last. */
function rank({ verb }: FileView): number {
  return verb === 'conflict' ? 0 : verb === 'skip' ? 2 : 1
}

interface FileLineProps {
  readonly plan: string
  readonly file: FileView
  readonly at: number
  readonly choice: Choice | undefined
  readonly onChoose: (choice: Choice) => void
}

function FileLine({ plan, file, at, choice, onChoose }: FileLineProps) {
  const [open, setOpen] = useState(false)
  const Icon = ICONS[file.verb]
  const { directory, name } = splitPath(file.path)
  const why = wordsForWhy(file)
  const tone = TONES[file.verb] ?? 'text-muted'
  return (
    <li className="not-first:border-t not-first:border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2.5 px-3 py-1.5 text-left hover:bg-hover"
      >
        <ChevronRight
          size={13}
          aria-hidden
          className={`shrink-0 text-faint transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <span className={`flex w-24 shrink-0 items-center gap-1.5 text-xs font-medium ${tone}`}>
          <Icon size={14} aria-hidden />
          {VERBS[file.verb]}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-xs">
            <span className="text-muted">{directory}</span>
            {name}
          </span>
          {why !== null && <span className="block text-xs text-muted">{why}</span>}
        </span>
        <span className="tabular hidden shrink-0 text-right text-2xs text-muted sm:block">
          {file.timesChanged > 0 && <>changed {count(file.timesChanged, 'time')} · </>}
          {file.linesNow}
          <ArrowRight size={10} aria-label="lines now," className="mx-0.5 inline" />
          {count(file.linesAfter, 'line')}
        </span>
        <Lines added={file.added} removed={file.removed} />
      </button>
      {file.verb === 'conflict' && <Conflict file={file} choice={choice} onChoose={onChoose} />}
      {open && <PlanDiff plan={plan} at={at} />}
    </li>
  )
}

function Conflict({
  file,
  choice,
  onChoose,
}: {
  file: FileView
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}) {
  const name = useId()
  return (
    <fieldset className="border-t border-warn-line bg-warn-soft px-3 py-2.5 text-sm">
      <legend className="sr-only">What to do with {file.path}</legend>
      {(file.conflicts ?? []).map(({ yours, theirs }) => (
        <p key={yours.join()} className="mb-1.5 text-xs">
          You changed {span(yours)}; the turn changed {span(theirs)}.
        </p>
      ))}
      <div className="flex flex-col gap-1">
        {(file.choices ?? []).map((each) => (
          <label key={each} className="flex cursor-pointer items-baseline gap-2">
            <input
              type="radio"
              name={name}
              checked={choice === each}
              onChange={() => onChoose(each)}
              className="translate-y-0.5 accent-accent"
            />
            <span>
              <span className="font-medium">{CHOICES[each].label}</span>
              <span className="text-muted">: {CHOICES[each].says}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** An empty range ends before it starts: lines were taken out there. */
function span([from, to]: readonly [number, number]): string {
  if (to < from) return from === 1 ? 'the start' : `what followed line ${to}`
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}

function PlanDiff({ plan, at }: { plan: string; at: number }) {
  const { data, error } = useQuery({
    queryKey: ['plan-file', plan, at],
    queryFn: () => client().planFile({ plan, file: String(at) }),
    retry: false,
  })
  const file = data?.files[0]
  return (
    <div className="border-t border-line bg-sunken">
      {error !== null && (
        <p className="px-3 py-2 text-xs text-removed">{failureFrom(error).message}</p>
      )}
      {file === undefined && error === null && (
        <p className="px-3 py-2 text-xs text-muted">Reading…</p>
      )}
      {file !== undefined && <Diff file={file} />}
    </div>
  )
}
