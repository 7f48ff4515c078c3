import { useEffect, useRef, useState } from 'react'
import type { MomentsView } from '#protocol'
import type { Position } from './positions.ts'

interface FileListProps {
  readonly moments: MomentsView
  readonly position: Position
  /** Index of the file that is shown. */
  readonly file: number
  readonly onChoose: (path: string) => void
}

/** With more files than this, a filter is shown. */
const FILTER_FROM = 15

/** All files that the session changed, with a mark on those changed at this moment. */
export function FileList({ moments: { files }, position, file, onChoose }: FileListProps) {
  const [wanted, setWanted] = useState('')
  const chosen = useRef<HTMLButtonElement>(null)
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [file])
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = files.flatMap((path, at) =>
    words.every((word) => path.toLowerCase().includes(word)) ? [{ path, at }] : [],
  )
  return (
    <nav
      aria-label="Files of the session"
      className="flex max-h-40 min-h-0 flex-col border-line max-md:border-b md:max-h-none md:border-r"
    >
      {files.length > FILTER_FROM && (
        <input
          type="search"
          aria-label="Filter files"
          placeholder={`Filter ${files.length.toLocaleString('en')} files`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="mx-3 mt-2.5 mb-1 h-8 rounded-md border border-line-strong bg-surface px-2.5 text-sm placeholder:text-muted"
        />
      )}
      <ul className="min-h-0 flex-1 overflow-y-auto py-2">
        {shown.length === 0 && <li className="px-4 py-1 text-sm text-muted">No files match.</li>}
        {shown.map(({ path, at }) => (
          <li key={path}>
            <button
              ref={at === file ? chosen : undefined}
              type="button"
              aria-current={at === file || undefined}
              onClick={() => onChoose(path)}
              className="flex w-full items-center gap-2 px-4 py-1 text-left font-mono text-xs -outline-offset-2 hover:bg-hover aria-[current]:bg-accent-soft"
            >
              <span title={path} className="min-w-0 flex-1 truncate">
                {path}
              </span>
              {position.changed.has(path) && (
                <span className="shrink-0 font-sans text-2xs text-accent">changed here</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
