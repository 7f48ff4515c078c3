import type { ComponentType, ReactNode } from 'react'
import type { HunksView } from '#protocol'
import { countLines } from '../turns/count-lines.ts'
import { FileLines, UnhidingFrom, type Unhiding } from '../turns/file-lines.tsx'
import { FileRow, fileListStyle } from '../ui/file-row.tsx'

interface FileFoldsProps {
  readonly files: readonly HunksView[]
  readonly unhiding: Unhiding
  readonly note?: (path: string) => string | null
  /** Buttons for a file, below its diff. */
  readonly actions?: (path: string) => ReactNode
  /** Renders the diff. */
  readonly show?: ComponentType<{ file: HunksView }>
}

/** Up to this many files start open; of more, only the first one. */
const OPEN = 2

/** Files with their diffs, each folded under its path. */
export function FileFolds({ files, unhiding, note, actions, show }: FileFoldsProps) {
  return (
    <ul className={`bg-surface ${fileListStyle}`}>
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
