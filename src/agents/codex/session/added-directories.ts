import { readLines } from '#disk'
import type { AddedReading } from '../../session-source.ts'
import { openRollout, readRow, rootsOf, timeOfId } from '../rows/index.ts'
import type { CodexSession } from './codex-session.ts'
import { describeThread, readShelf } from './shelf.ts'

const MAX_ROW_BYTES = 1024 * 1024

/**
 * The directories that the user added with `--add-dir`, or by configuration, up to this time, in ms
 * since 1970.
 */
export function addedDirectories(
  { shelf, conversation, current }: CodexSession,
  by: number,
): string[] {
  const rollouts = new Set([...conversation.turns.map(({ rollout }) => rollout), current])
  const paths = [...rollouts].flatMap(({ outline }) =>
    outline.roots.flatMap(({ path, at }) => (Date.parse(at ?? '') > by ? [] : [path])),
  )
  return unique(shelf.home, paths)
}

/** The same while the rollout is being written, without opening the session. */
export function addedSince(home: string, session: string, from: AddedReading): AddedReading {
  // Another agent's session: hooks are short of time.
  if (timeOfId(session) === null) return from
  const transcript = describeThread(readShelf(home), session)?.path ?? null
  if (transcript === null) return from
  const found: string[] = [...from.directories]
  using file = openRollout(transcript)
  const start = transcript === from.transcript && from.end <= file.size ? from.end : 0
  const end = readLines(
    file,
    { from: start, limit: MAX_ROW_BYTES },
    {
      line(bytes, first, to) {
        const row = readRow(bytes, first, to)
        if (row !== null) found.push(...rootsOf(row))
      },
      rest() {},
      longLine() {},
    },
  )
  return { transcript, end, directories: unique(home, found) }
}

/** Codex adds its own directory for memories, which is never covered. */
function unique(home: string, paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => path !== home && !path.startsWith(`${home}/`))
}
