import type { ComponentType, ReactNode } from 'react'
import type { HunksView } from '#protocol'
import { countLines } from '../turns/count-lines.ts'
import { FileLines, UnhidingFrom, type Unhiding } from '../turns/file-lines.tsx'
import { FileRow, fileListLook } from '../ui/file-row.tsx'

interface FileFoldsProps {
  readonly files: readonly HunksView[]
  readonly unhiding: Unhiding
  readonly note?: (path: string) => string | null
  /** What can be done with a file, below its lines. */
  readonly actions?: (path: string) => ReactNode
  /** How the lines are shown. */
  readonly show?: ComponentType<{ file: HunksView }>
}

/** So many files are open from the start; more would be a wall. */
const OPEN = 2

/** Files with their differences, each behind its name. */
export function FileFolds({ files, unhiding, note, actions, show }: FileFoldsProps) {
  return (
    <ul className={`bg-surface ${fileListLook}`}>
      {files.map((file, at) => (
        <FileRow
          key={file.path}
          path={file.path}
          notes={<span className="truncate text-muted">{note?.(file.path)}</span>}
          lines={countLines(file)}
          begins={files.length <= OPEN || at === 0}
        >
          {() => (
            <>
              <UnhidingFrom value={unhiding}>
                <FileLines file={file} show={show} />
              </UnhidingFrom>
              {actions !== undefined && (
                <div className="flex flex-wrap gap-2 border-t border-line px-3 py-2">
                  {actions(file.path)}
                </div>
              )}
            </>
          )}
        </FileRow>
      ))}
    </ul>
  )
}
