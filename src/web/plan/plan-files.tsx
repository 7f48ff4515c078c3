import { useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Columns3,
  Combine,
  FileMinus,
  FilePlus2,
  Minus,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react'
import { wordsForReason, type PlanView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { FileLines, UnhidingFrom } from '../turns/file-lines.tsx'
import { Button } from '../ui/button.tsx'
import { FileRow, fileListStyle } from '../ui/file-row.tsx'
import { count } from '../words.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import { bothChanged, VERBS, whoChanged, type Choice, type FileView } from './plan-words.ts'
import type { Choosing } from './use-choices.ts'

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
  readonly choices: Readonly<Record<string, Choosing>>
  readonly onChoose: (file: FileView, choice: Choice) => void
  /** Shows the versions of a file in conflict. */
  readonly onCompare: (file: FileView) => void
}

/** Each file of a plan: its outcome, its diff, and the choice if it is in conflict. */
export function PlanFiles({ plan, choices, onChoose, onCompare }: PlanFilesProps) {
  const order = plan.files
    .map((file, at) => ({ file, at }))
    .sort((a, b) => rank(a.file) - rank(b.file))
  return (
    <ul aria-label="Files" className={fileListStyle}>
      {order.map(({ file, at }) => (
        <FileLine
          key={file.path}
          plan={plan.id}
          session={plan.session}
          verb={plan.verb}
          file={file}
          at={at}
          choice={Object.hasOwn(choices, file.path) ? choices[file.path] : undefined}
          onChoose={(choice) => onChoose(file, choice)}
          onCompare={() => onCompare(file)}
        />
      ))}
    </ul>
  )
}

function times(n: number): string {
  return n === 1 ? 'once' : count(n, 'time')
}

/** Files to decide about come first, files left alone last. */
function rank({ verb }: FileView): number {
  return verb === 'conflict' ? 0 : verb === 'skip' ? 2 : 1
}

interface FileLineProps {
  readonly plan: string
  readonly session: string
  readonly verb: string
  readonly file: FileView
  readonly at: number
  readonly choice: Choosing | undefined
  readonly onChoose: (choice: Choice) => void
  readonly onCompare: () => void
}

function FileLine({ plan, session, verb, file, at, choice, onChoose, onCompare }: FileLineProps) {
  const who = whoChanged(file, session)
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
      why={file.why === undefined ? null : wordsForReason(file.why, who ?? undefined)}
      figures={
        <>
          {file.timesChanged > 0 && <>changed {times(file.timesChanged)} · </>}
          {file.linesNow}
          <ArrowRight size={10} aria-label="lines now," className="mx-0.5 inline" />
          {count(file.linesAfter, 'line')}
        </>
      }
      lines={file}
      always={
        file.verb === 'conflict' && (
          <div className="border-t border-warn-line bg-warn-soft px-3 py-2.5 text-sm">
            {(file.conflicts ?? []).map(({ yours, theirs }) => (
              <p key={yours.join()} className="mb-1.5 text-xs">
                {bothChanged(yours, theirs, who)}
              </p>
            ))}
            <div className="flex flex-wrap items-end justify-between gap-2">
              <ConflictChoice file={file} verb={verb} choice={choice} onChoose={onChoose} />
              <Button size="small" data-compare={file.path} onClick={onCompare}>
                <Columns3 size={13} aria-hidden />
                Compare versions…<span className="sr-only"> of {file.path}</span>
              </Button>
            </div>
          </div>
        )
      }
    >
      {() => <PlanDiff plan={plan} at={at} />}
    </FileRow>
  )
}

function PlanDiff({ plan, at }: { plan: string; at: number }) {
  const key = ['plan-file', plan, at]
  const read = async (query: { reveal?: 'yes' } = {}) =>
    (await client().planFile({ plan, file: String(at), ...query })).files
  const { data, error } = useQuery({ queryKey: key, queryFn: () => read(), retry: false })
  const file = data?.[0]
  return (
    <>
      {error !== null && (
        <p className="px-3 py-2 text-xs text-removed">{failureFrom(error).message}</p>
      )}
      {file === undefined && error === null && (
        <p className="px-3 py-2 text-xs text-muted">Reading…</p>
      )}
      {file !== undefined && (
        <UnhidingFrom value={{ key, read: () => read({ reveal: 'yes' }) }}>
          <FileLines file={file} />
        </UnhidingFrom>
      )}
    </>
  )
}
