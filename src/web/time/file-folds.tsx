import { ChevronRight } from 'lucide-react'
import { useState, type ComponentType, type ReactNode } from 'react'
import type { HunksView } from '#protocol'
import { Diff } from '../turns/diff.tsx'
import { Lines } from '../ui/badge.tsx'
import { splitPath } from '../words.ts'

interface FileFoldsProps {
  readonly files: readonly HunksView[]
  readonly note?: (path: string) => string | null
  /** What can be done with a file, below its lines. */
  readonly actions?: (path: string) => ReactNode
  /** How the lines are shown. */
  readonly show?: ComponentType<{ file: HunksView }>
}

/** So many files are open from the start; more would be a wall. */
const OPEN = 2

/** Files with their differences, each behind its name. */
export function FileFolds({ files, note, actions, show = Diff }: FileFoldsProps) {
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {files.map((file, at) => (
        <FileFold
          key={file.path}
          file={file}
          note={note?.(file.path) ?? null}
          actions={actions?.(file.path)}
          show={show}
          begins={files.length <= OPEN || at === 0}
        />
      ))}
    </ul>
  )
}

interface FileFoldProps {
  readonly file: HunksView
  readonly note: string | null
  readonly actions: ReactNode
  readonly show: ComponentType<{ file: HunksView }>
  readonly begins: boolean
}

function FileFold({ file, note, actions, show: Show, begins }: FileFoldProps) {
  const [open, setOpen] = useState(begins)
  const { directory, name } = splitPath(file.path)
  return (
    <li className="not-first:border-t not-first:border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8.5 w-full items-center gap-2 px-3 text-left -outline-offset-2 hover:bg-hover"
      >
        <ChevronRight
          size={13}
          aria-hidden
          className={`shrink-0 text-faint transition-transform ${open ? 'rotate-90' : ''}`}
        />
        <span className="min-w-0 truncate font-mono text-xs">
          <span className="text-muted">{directory}</span>
          {name}
        </span>
        {note !== null && <span className="truncate text-xs text-muted">{note}</span>}
        <span className="flex-1" />
        <Lines {...countLines(file)} />
      </button>
      {open && (
        <div className="border-t border-line bg-sunken">
          <Show file={file} />
          {actions !== undefined && (
            <div className="flex flex-wrap gap-2 border-t border-line px-3 py-2">{actions}</div>
          )}
        </div>
      )}
    </li>
  )
}

export function countLines({ hunks }: HunksView): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { lines } of hunks ?? [])
    for (const { change } of lines)
      if (change === 'added') added += 1
      else if (change === 'removed') removed += 1
  return { added, removed }
}
