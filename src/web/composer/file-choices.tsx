import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FileText, Folder } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { rankPaths } from '#timeline'
import { client } from '../connection/connection.ts'
import { PathText } from '../ui/path-text.tsx'
import type { AtToken } from './at-file.ts'

interface Choices {
  readonly paths: readonly string[]
  /** Index of the path that Enter inserts. */
  readonly at: number
  readonly state: 'looking' | 'found'
  /** False if the project has more files than are listed. */
  readonly whole: boolean
  move(step: number): void
}

/** The project's files that match the text after an @; null without an @. */
export function useFileChoices(session: string | undefined, token: AtToken | null): Choices | null {
  const [chosen, setChosen] = useState({ typed: '', at: 0 })
  const typed = token?.typed ?? ''
  const wanted = session !== undefined && token !== null
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['project-files', session, typed],
    queryFn: () => client().projectFiles({ session: session!, q: typed }),
    enabled: wanted,
    staleTime: 2000,
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (!wanted) return null
  // Until the answer comes, the list before it is searched here: Enter takes what fits the text.
  const known = data?.files ?? []
  const paths = isPlaceholderData ? rankPaths(known, typed, known.length) : known
  const at = chosen.typed === typed ? Math.min(chosen.at, Math.max(0, paths.length - 1)) : 0
  return {
    paths,
    at,
    state: isFetching && paths.length === 0 ? 'looking' : 'found',
    whole: data?.whole ?? true,
    move: (step) =>
      setChosen({ typed, at: (at + step + paths.length) % Math.max(1, paths.length) }),
  }
}

interface FileChoicesProps {
  readonly id: string
  readonly choices: Choices
  readonly typed: string
  readonly side: 'above' | 'below'
  readonly onChoose: (path: string) => void
}

/** The list next to the text field, which keeps the focus. */
export function FileChoices({ id, choices, typed, side, onChoose }: FileChoicesProps) {
  const { paths, at, state, whole } = choices
  const current = useRef<HTMLDivElement>(null)
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [at, paths])
  return (
    <div
      className={`absolute left-2 z-30 ${side === 'above' ? 'bottom-full mb-1.5' : 'top-full mt-1.5'} w-[min(32rem,calc(100%-1rem))] overflow-hidden rounded-lg border border-line-strong bg-surface shadow-high`}
    >
      {paths.length === 0 ? (
        <p role="status" className="px-3 py-2 text-xs text-muted">
          {state === 'looking' ? 'Listing files…' : `No file matches “${typed}”.`}
        </p>
      ) : (
        <div
          role="listbox"
          id={id}
          aria-label="Files of the project"
          className="max-h-56 overflow-y-auto p-1"
        >
          {paths.map((path, each) => (
            <div
              key={path}
              ref={each === at ? current : undefined}
              role="option"
              id={`${id}-${each}`}
              aria-selected={each === at}
              // Otherwise mouse down blurs the field, and the list closes before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(path)}
              className={`flex cursor-default items-center gap-2 rounded-md px-2 py-1 font-mono text-xs ${each === at ? 'bg-accent-soft text-ink' : 'text-muted hover:bg-hover'}`}
            >
              {path.endsWith('/') ? (
                <Folder size={13} aria-hidden className="shrink-0" />
              ) : (
                <FileText size={13} aria-hidden className="shrink-0" />
              )}
              <PathText path={path} />
            </div>
          ))}
        </div>
      )}
      {!whole && (
        <p className="border-t border-line px-3 py-1 text-xs text-muted">
          This project has more files than Retake lists. Type the path of others yourself.
        </p>
      )}
    </div>
  )
}
