import type { OpenOptions, OpenSession, SessionFile, SessionIndex } from '#agents'
import { type Disk, lstatPath } from '#disk'
import { readMoves, type MovedProject } from '#store'
import type { Machine } from './machine.ts'

/** Where a session's directory is now: applies the moves since the session began (`bornAt`). */
export function movedPath(moves: readonly MovedProject[], path: string, bornAt: string): string {
  const born = Date.parse(bornAt)
  let now = path
  for (const { from, to, at } of moves) if (!(born > at)) now = rebase(now, from, to)
  return now
}

/** Where a directory was before: agents store sessions under the old name. */
export function formerPaths(moves: readonly MovedProject[], path: string): string[] {
  const former = new Set<string>()
  let now = path
  for (const { from, to } of moves.toReversed()) {
    const before = rebase(now, to, from)
    if (before !== now) former.add(before)
    now = before
  }
  return [...former]
}

export function rebase(path: string, from: string, to: string): string {
  if (path === from) return to
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path
}

let known: {
  readonly data: string
  readonly stamp: string
  readonly moves: MovedProject[]
} | null = null

/** Cached: reads the moves again only after a new one. */
export function movesOf(disk: Disk, data: string): readonly MovedProject[] {
  const stamp = String(lstatPath(`${data}/moves`)?.mtimeNs ?? '')
  if (known?.data !== data || known.stamp !== stamp)
    known = { data, stamp, moves: stamp === '' ? [] : readMoves(disk, data) }
  return known.moves
}

/** Makes summaries name the directory where the project is now. */
export function withMoves(disk: Disk, index: SessionIndex, data: string): SessionIndex {
  return {
    ...index,
    summaries(files) {
      const summaries = index.summaries(files)
      const moves = movesOf(disk, data)
      if (moves.length === 0) return summaries
      return summaries.map((summary) =>
        summary.project === null
          ? summary
          : { ...summary, project: movedPath(moves, summary.project, summary.bornAt) },
      )
    },
  }
}

/** Opens a session with all paths at the project's present place: its edits name the old one. */
export function openSessionFile(
  machine: Machine,
  file: SessionFile,
  options?: OpenOptions,
): OpenSession {
  const open = machine.index.open(file, options)
  const { project, bornAt } = open.summary
  const moves = movesOf(machine.disk, machine.places.data)
  const now = project === null ? null : movedPath(moves, project, bornAt)
  if (project === null || now === null || now === project) return open
  return {
    ...open,
    summary: { ...open.summary, project: now },
    readTurn(id) {
      const reading = open.readTurn(id)
      const edits = reading.edits.map((edit) => ({
        ...edit,
        path: movedPath(moves, edit.path, bornAt),
      }))
      return { ...reading, edits }
    },
    versionOf(id) {
      const { key, stamp } = open.versionOf(id)
      return { key, stamp: `${stamp} ${now}` }
    },
  }
}
