import { PenLine } from 'lucide-react'
import { useState } from 'react'
import type { HunksView } from '#protocol'
import { Badge } from '../ui/badge.tsx'
import { FileRow, fileListStyle } from '../ui/file-row.tsx'
import { FoldButton } from '../ui/fold-button.tsx'
import { count } from '../words.ts'
import { FileLines } from './file-lines.tsx'
import type { TurnView } from './read-line.ts'
import { CHANGES } from './turn-files.tsx'

/** Names at most this many files. */
const SHOWN = 50

interface EditedFilesProps {
  readonly turn: TurnView
  /** Undefined until the turn's details are loaded. */
  readonly diffs: readonly HunksView[] | undefined
}

/** Files edited by hand between a turn and the next one: one line, and the diffs on demand. */
export function EditedFiles({ turn: { editedAfter }, diffs }: EditedFilesProps) {
  const [open, setOpen] = useState(false)
  if (editedAfter.length === 0) return null
  return (
    <div className="mt-4 text-xs">
      <div className="flex items-center gap-2">
        <FoldButton open={open} onToggle={() => setOpen(!open)}>
          <PenLine size={13} aria-hidden />
          You edited {count(editedAfter.length, 'file')}
        </FoldButton>
        <span aria-hidden className="h-px flex-1 bg-line" />
      </div>
      {open && (
        <ul aria-label="Files you edited" className={`mt-1.5 bg-surface ${fileListStyle}`}>
          {editedAfter.slice(0, SHOWN).map(({ path, from, change }) => (
            <FileRow
              key={path}
              path={path}
              notes={
                <>
                  {CHANGES[change] !== undefined && <Badge>{CHANGES[change]}</Badge>}
                  {from !== undefined && (
                    <span className="min-w-0 truncate text-muted">from {from}</span>
                  )}
                </>
              }
            >
              {() => {
                const diff = diffs?.find((each) => each.path === path)
                return diff === undefined ? (
                  <p className="px-3 py-2 text-muted">Reading…</p>
                ) : (
                  <FileLines file={diff} />
                )
              }}
            </FileRow>
          ))}
        </ul>
      )}
      {open && editedAfter.length > SHOWN && (
        <p className="px-3 py-1.5 text-muted">and {editedAfter.length - SHOWN} more</p>
      )}
    </div>
  )
}
