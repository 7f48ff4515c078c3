import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Combine,
  FileMinus,
  FilePlus2,
  Minus,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react'
import { useId } from 'react'
import { wordsForReason, wordsForSpan, type PlanView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { Diff } from '../turns/diff.tsx'
import { FileRow, fileListLook } from '../ui/file-row.tsx'
import { count } from '../words.ts'
import { CHOICES, VERBS, type Choice, type FileView } from './plan-words.ts'

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
    <ul aria-label="Files" className={fileListLook}>
      {order.map(({ file, at }) => (
        <FileLine
          key={file.path}
          plan={plan.id}
          file={file}
          at={at}
          choice={Object.hasOwn(choices, file.path) ? choices[file.path] : undefined}
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
  const Icon = ICONS[file.verb]
  return (
    <FileRow
      path={file.path}
      lead={
        <span
          className={`flex w-24 shrink-0 items-center gap-1.5 font-medium ${TONES[file.verb] ?? 'text-muted'}`}
        >
          <Icon size={14} aria-hidden />
          {VERBS[file.verb]}
        </span>
      }
      why={file.why === undefined ? null : wordsForReason(file.why)}
      figures={
        <>
          {file.timesChanged > 0 && <>changed {count(file.timesChanged, 'time')} · </>}
          {file.linesNow}
          <ArrowRight size={10} aria-label="lines now," className="mx-0.5 inline" />
          {count(file.linesAfter, 'line')}
        </>
      }
      lines={file}
      always={
        file.verb === 'conflict' && <Conflict file={file} choice={choice} onChoose={onChoose} />
      }
    >
      {() => <PlanDiff plan={plan} at={at} />}
    </FileRow>
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
          You changed {wordsForSpan(yours)}; the turn changed {wordsForSpan(theirs)}.
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

function PlanDiff({ plan, at }: { plan: string; at: number }) {
  const { data, error } = useQuery({
    queryKey: ['plan-file', plan, at],
    queryFn: () => client().planFile({ plan, file: String(at) }),
    retry: false,
  })
  const file = data?.files[0]
  return (
    <>
      {error !== null && (
        <p className="px-3 py-2 text-xs text-removed">{failureFrom(error).message}</p>
      )}
      {file === undefined && error === null && (
        <p className="px-3 py-2 text-xs text-muted">Reading…</p>
      )}
      {file !== undefined && <Diff file={file} />}
    </>
  )
}
