import { focusManager, QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type {
  BranchesView,
  LogView,
  ProjectsView,
  SessionsView,
  ShowView,
  StatusView,
  VoiceLogView,
} from '#protocol'
import { client, failureFrom } from './connection.ts'

export type Log = LogView & { more: boolean }

/** Query keys of the cache. */
export const keys = {
  sessions: ['sessions'],
  projects: ['projects'],
  status: (session: string) => ['status', session],
  tail: (session: string) => ['turns', session, 'tail'],
  whole: (session: string) => ['turns', session, 'whole'],
  turn: (session: string, turn: string) => ['turn', session, turn],
  branches: (session: string) => ['branches', session],
  voiceLog: (session: string) => ['voice-log', session],
} as const

/** Enough turns for the first screens; in a large session each one takes a while to read. */
const TAIL = 16
/** Milliseconds until the other turns load, so that visible ones get their details first. */
const LATER = 400

/** The cache of the server's answers. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Events say what is stale, so nothing is refetched on suspicion.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && failureFrom(error).code === 'server-unreachable',
      networkMode: 'always',
    },
  },
})

export function useSessions(): UseQueryResult<SessionsView> {
  return useQuery({ queryKey: keys.sessions, queryFn: () => client().sessions({}) })
}

export function useProjects(): UseQueryResult<ProjectsView> {
  return useQuery({ queryKey: keys.projects, queryFn: () => client().projects({}) })
}

export function useStatus(session: string): UseQueryResult<StatusView> {
  return useQuery({
    queryKey: keys.status(session),
    queryFn: () => client().session({ session }),
    enabled: useTail(session).isFetched,
  })
}

/** Turns load first: the server answers one request at a time, so others would delay them. */
function useTail(session: string): UseQueryResult<Log> {
  return useQuery(tailOf(session))
}

/** The query of a session's newest turns. */
export function tailOf(session: string) {
  return {
    queryKey: keys.tail(session),
    queryFn: () => client().turns({ session, limit: TAIL }),
  }
}

/**
 * No event reports an edit by hand, so turns reload when the user returns to the page. A read under
 * way may be older than the edit, so it is repeated.
 */
function useAskOnReturn(session: string): void {
  useEffect(
    () =>
      focusManager.subscribe((isSeen) => {
        if (isSeen) void queries.invalidateQueries({ queryKey: keys.tail(session) })
      }),
    [session],
  )
}

/** Loads a session's turns before the first render. */
export function askEarly(path: string): void {
  const session = /^\/s\/([\w-]+)$/.exec(path)?.[1]
  if (session !== undefined) void queries.prefetchQuery(tailOf(session))
}

/**
 * A session's turns: the newest at once, the others when loaded. Otherwise a session of twelve
 * thousand turns would show nothing until all of them are read.
 */
export function useTurns(session: string): {
  log: Log | undefined
  error: unknown
  retry: () => void
} {
  useAskOnReturn(session)
  const tail = useTail(session)
  const whole = useQuery({
    queryKey: keys.whole(session),
    queryFn: () => client().turns({ session }),
    enabled: useLater(tail.data?.more === true),
  })
  const log =
    whole.data === undefined || tail.data === undefined || !tail.data.more
      ? tail.data
      : join(whole.data, tail.data)
  return {
    log,
    error: log === undefined ? tail.error : null,
    retry: () => void tail.refetch(),
  }
}

function useLater(wanted: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!wanted || late) return
    const timer = setTimeout(() => setLate(true), LATER)
    return () => clearTimeout(timer)
  }, [wanted, late])
  return wanted && late
}

/** Memoizes `join`: the newest turns reload often, the old ones once. */
const joined = new WeakMap<Log, { whole: Log; log: Log }>()

function join(whole: Log, tail: Log): Log {
  const known = joined.get(tail)
  if (known?.whole === whole) return known.log
  const first = tail.turns[0]?.id
  const end = whole.turns.findIndex(({ id }) => id === first)
  const log =
    end === -1
      ? whole
      : { ...tail, turns: [...whole.turns.slice(0, end), ...tail.turns], more: false }
  joined.set(tail, { whole, log })
  return log
}

export function useTurn(session: string, turn: string, wanted: boolean): UseQueryResult<ShowView> {
  return useQuery({
    queryKey: keys.turn(session, turn),
    queryFn: () => client().turn({ session, turn }),
    enabled: wanted,
    gcTime: 60_000,
  })
}

export function useBranches(session: string): UseQueryResult<BranchesView> {
  return useQuery({
    queryKey: keys.branches(session),
    queryFn: () => client().branches({ session }),
    // Branches list their file changes, which means reading every turn: skip it for one branch.
    enabled: (useStatus(session).data?.branches ?? 1) > 1,
  })
}

/** Branches of any listed session, loaded on demand. */
export function useBranchesOf(session: string, wanted: boolean): UseQueryResult<BranchesView> {
  return useQuery({
    queryKey: keys.branches(session),
    queryFn: () => client().branches({ session }),
    enabled: wanted,
  })
}

/**
 * Resolves when a finished turn can be shown from the transcript. By then the status is new too:
 * with the old one, the page would take the turn for one in a terminal and refuse the next prompt.
 */
export async function readTurnAgain(session: string, turn: string): Promise<void> {
  try {
    await Promise.all(
      [keys.tail(session), keys.status(session)].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    )
    await queries.fetchQuery({
      queryKey: keys.turn(session, turn),
      queryFn: () => client().turn({ session, turn }),
      staleTime: 0,
    })
  } catch {
    // A turn stopped before its first answer is in no transcript.
  }
}

export function useVoiceLog(session: string): UseQueryResult<VoiceLogView> {
  return useQuery({
    queryKey: keys.voiceLog(session),
    queryFn: () => client().voiceLog({ session }),
    enabled: useTail(session).isSuccess,
  })
}
