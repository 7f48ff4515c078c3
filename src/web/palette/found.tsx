import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileText, FolderGit2, MessageSquareText, SquareTerminal } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { SearchView } from '#protocol'
import { client } from '../connection/connection.ts'
import { useSessions } from '../connection/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { ago, brief, count, directoryName } from '../words.ts'
import type { Option } from './option.ts'

type Found = SearchView['turns'][number]

/** Milliseconds without typing before a search starts. */
const LATER = 120
const MAX_SESSIONS = 5

/** Turns, files and sessions that match the words. */
export function useFound(words: string): {
  options: readonly Option[]
  state: 'idle' | 'looking' | 'done'
  left: number
} {
  const wanted = useLate(words.trim())
  const navigate = useNavigate()
  const sessions = useSessions().data?.sessions
  const { data, isFetching } = useQuery({
    queryKey: ['search', wanted],
    queryFn: () => client().search({ q: wanted }),
    enabled: wanted.length > 1,
    staleTime: 5000,
    retry: false,
    placeholderData: keepPreviousData,
    // The server reads many sessions in several passes, so poll until none is left.
    refetchInterval: ({ state }) => ((state.data?.left ?? 0) > 0 ? 400 : false),
  })
  const options = useMemo(() => {
    if (words.trim().length < 2) return []
    const go = (session: string, turn?: string): void =>
      void navigate({
        to: '/s/$session',
        params: { session },
        search: turn === undefined ? {} : { turn },
      })
    const lower = words.trim().toLowerCase()
    const named = (sessions ?? []).filter(({ title }) => title.toLowerCase().includes(lower))
    return [
      ...(data?.turns ?? []).map((found): Option => turnOption(found, go)),
      ...(data?.files ?? []).map((file): Option => ({
        id: `file ${file.project} ${file.path}`,
        group: 'Files',
        icon: FileText,
        label: <span className="font-mono text-xs">{file.path}</span>,
        detail: directoryName(file.project),
        aside: `changed in ${count(file.turns, 'turn')}`,
        run: () => go(file.session, file.turn),
      })),
      ...named.slice(0, MAX_SESSIONS).map(({ id, title, project, updatedAt }): Option => ({
        id: `session ${id}`,
        group: 'Sessions',
        icon: FolderGit2,
        label: title,
        detail: directoryName(project),
        aside: ago(updatedAt),
        run: () => go(id),
      })),
    ]
  }, [words, data, sessions, navigate])
  const isLate = words.trim() !== wanted || (isFetching && data?.words !== wanted)
  return {
    options,
    state: words.trim().length < 2 ? 'idle' : isLate ? 'looking' : 'done',
    left: data?.left ?? 0,
  }
}

function turnOption(found: Found, go: (session: string, turn: string) => void): Option {
  const { session, turn, prompt, title, state, branch, field, at } = found
  return {
    id: `turn ${session} ${turn.id}`,
    group: 'Turns',
    icon: field === 'commands' ? SquareTerminal : field === 'files' ? FileText : MessageSquareText,
    label: (
      <span className="flex items-center gap-2">
        {turn.number !== null && <span className="tabular text-xs text-muted">{turn.number}</span>}
        <span className="min-w-0 truncate">
          {field === 'prompt' ? <Excerpt found={found} /> : brief(prompt, 90)}
        </span>
        {state === 'undone' && <Badge tone="undone">undone</Badge>}
        {state === 'other' && <Badge>{branch.label}</Badge>}
      </span>
    ),
    detail: (
      <>
        {brief(title, 40)}
        {field !== 'prompt' && (
          <>
            {' · '}
            <Excerpt found={found} />
          </>
        )}
      </>
    ),
    aside: ago(at),
    run: () => go(session, turn.id),
  }
}

function Excerpt({ found: { excerpt } }: { found: Found }) {
  return excerpt.map(({ text, hit }, at) =>
    hit ? (
      <mark key={at} className="bg-transparent font-semibold text-accent">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}

function useLate(value: string): string {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), LATER)
    return () => clearTimeout(timer)
  }, [value])
  return late
}
