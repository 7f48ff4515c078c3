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
import { ListRow } from '../time/list-row.tsx'
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
  'revert-files': Eraser,
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
  /** All listed operations: one that undid another has the other's title in its own. */
  readonly others: readonly OperationView[]
  /** The session's title, if several sessions are listed. */
  readonly title: string | undefined
  readonly chosen: boolean
  readonly onChoose: () => void
}

export function OperationRow({ operation, others, title, chosen, onChoose }: OperationRowProps) {
  const { verb, at, files, receipt, id } = operation
  const time = new Date(at)
  const about = [
    files.length > 0 ? count(files.length, 'file') : null,
    receipt.conversation === 'moved' ? 'conversation' : null,
    receipt.conversation === 'pending' ? 'conversation pending' : null,
    title ?? null,
  ].filter((part) => part !== null)
  return (
    <ListRow
      when={
        <time dateTime={at} className="tabular w-10 shrink-0 pt-px text-xs text-muted">
          {time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false })}
        </time>
      }
      icon={ICONS[verb] ?? Tag}
      title={operationTitle(operation, others)}
      badge={<StateBadge operation={operation} />}
      about={about}
      aside={`#${id}`}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

export function StateBadge({ operation: { state } }: { operation: OperationView }) {
  if (state === 'done') return null
  if (state === 'undone') return <Badge tone="undone">undone</Badge>
  return <Badge tone="warn">{state === 'rolled-back' ? 'failed' : 'unfinished'}</Badge>
}
