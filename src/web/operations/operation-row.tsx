import {
  Archive,
  ArrowLeftRight,
  Eraser,
  FileClock,
  Flag,
  GitBranch,
  Redo2,
  RotateCcw,
  Tag,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { count } from '../words.ts'
import { operationTitle, type OperationView } from './operation-words.ts'

const ICONS: Record<string, LucideIcon> = {
  undo: Undo2,
  rewind: Undo2,
  redo: Redo2,
  switch: ArrowLeftRight,
  branch: GitBranch,
  revert: Eraser,
  'revert-off': Eraser,
  restore: FileClock,
  exact: FileClock,
  'op-undo': RotateCcw,
  checkpoint: Flag,
  'checkpoint-delete': Flag,
  'branch-archive': Archive,
  'branch-unarchive': Archive,
}

interface OperationRowProps {
  readonly operation: OperationView
  /** Of the session, where several are listed. */
  readonly title: string | undefined
  readonly chosen: boolean
  readonly onChoose: () => void
}

export function OperationRow({ operation, title, chosen, onChoose }: OperationRowProps) {
  const { verb, at, files, receipt, id } = operation
  const Icon = ICONS[verb] ?? Tag
  const time = new Date(at)
  const about = [
    files.length > 0 ? count(files.length, 'file') : null,
    receipt.conversation === 'moved' ? 'conversation' : null,
    receipt.conversation === 'pending' ? 'conversation follows' : null,
    title ?? null,
  ].filter((part) => part !== null)
  return (
    <li>
      <button
        type="button"
        data-operation={id}
        aria-current={chosen || undefined}
        onClick={onChoose}
        className="flex w-full items-start gap-3 border-l-2 border-transparent px-5 py-2 text-left -outline-offset-2 hover:bg-hover aria-[current]:border-accent aria-[current]:bg-accent-soft"
      >
        <time dateTime={at} className="tabular w-10 shrink-0 pt-px text-xs text-muted">
          {time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false })}
        </time>
        <Icon size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span className="truncate text-sm font-medium">{operationTitle(operation)}</span>
            <StateBadge operation={operation} />
          </span>
          {about.length > 0 && (
            <span className="block truncate text-xs text-muted">{about.join(' · ')}</span>
          )}
        </span>
        <span className="tabular pt-px text-2xs text-muted">#{id}</span>
      </button>
    </li>
  )
}

export function StateBadge({ operation: { state } }: { operation: OperationView }) {
  if (state === 'done') return null
  if (state === 'undone') return <Badge tone="undone">taken back</Badge>
  return <Badge tone="warn">{state === 'rolled-back' ? 'failed' : 'unfinished'}</Badge>
}
