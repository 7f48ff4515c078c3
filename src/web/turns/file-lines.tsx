import { useQuery } from '@tanstack/react-query'
import { createContext, use, useState, type ComponentType } from 'react'
import type { HunksView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { keys } from '../connection/queries.ts'
import { Hidden } from '../ui/hidden.tsx'
import { Diff } from './diff.tsx'

/** Where the files come from, and how to load them again with secrets revealed. */
export interface Unhiding {
  /** The query key of the files, so that both become stale together. */
  readonly key: readonly unknown[]
  readonly read: () => Promise<readonly HunksView[]>
}

const FromHere = createContext<Unhiding | null>(null)

/** Provides the source to files that may be hidden. */
export const UnhidingFrom = FromHere.Provider

/** The source for a turn's own changes, or for edits by hand after it. */
export function unhidingTurn(session: string, turn: string, of: 'diffs' | 'editedDiffs'): Unhiding {
  return {
    key: [...keys.turn(session, turn), of],
    read: async () => (await client().turn({ session, turn, reveal: 'yes' }))[of],
  }
}

interface FileLinesProps {
  readonly file: HunksView
  /** How the lines are shown. */
  readonly show?: ComponentType<{ file: HunksView }> | undefined
}

/** A file's diff. If it may contain secrets, it is hidden until the user reveals it. */
export function FileLines({ file, show: Show = Diff }: FileLinesProps) {
  const [asked, setAsked] = useState(false)
  if (file.hidden !== true) return <Show file={file} />
  if (!asked) return <Hidden onReveal={() => setAsked(true)} />
  return <Unhidden path={file.path} show={Show} />
}

function Unhidden({
  path,
  show: Show,
}: {
  path: string
  show: ComponentType<{ file: HunksView }>
}) {
  const from = use(FromHere)
  const { data, error } = useQuery({
    queryKey: [...(from?.key ?? []), 'unhidden'],
    queryFn: () => from!.read(),
    enabled: from !== null,
    staleTime: 0,
    // Forget revealed secrets once they are off screen.
    gcTime: 0,
    retry: false,
  })
  const file = data?.find((each) => each.path === path)
  if (file !== undefined) return <Show file={file} />
  return (
    <p className={`px-3 py-2 text-xs ${error === null ? 'text-muted' : 'text-removed'}`}>
      {error === null ? 'Reading…' : failureFrom(error).message}
    </p>
  )
}
