import { linksTouching, type Sighting, type Store } from '#store'
import type { ProjectPath, Value } from '#timeline'

/** What a path was at a given time; undefined if no later change was seen. */
export type ValueThen = (path: ProjectPath, at: number) => Value | undefined

/**
 * What a path was at a given time: a symlink's target, null for anything else, undefined if no
 * later change was seen.
 */
export type LinkThen = (path: ProjectPath, at: number) => string | null | undefined

/** A ledger link has the time of the scan, which may be later than the change. */
const SCAN_SLACK = 2000

interface Replaced {
  /** When something else replaced it. */
  readonly at: number
  readonly before: Value
}

/** The project's files and symlinks at earlier times. */
export function valueHistory(store: Store, sightings: readonly Sighting[]): ValueThen {
  const known = new Map<ProjectPath, readonly Replaced[]>()
  const seen = Map.groupBy(
    sightings.filter(({ directory }) => directory === undefined),
    ({ path }) => path,
  )
  const historyOf = (path: ProjectPath): readonly Replaced[] => [
    ...linksTouching(store, path).map((link) => ({
      at: link.at - SCAN_SLACK,
      before: link.path === path && link.from !== null ? ABSENT : link.before,
    })),
    ...(seen.get(path) ?? []).map(({ changedAt, at, before }) => ({ at: changedAt ?? at, before })),
  ]
  return (path, at) => {
    if (!known.has(path)) known.set(path, historyOf(path))
    return known.get(path)!.find((replaced) => replaced.at > at)?.before
  }
}

/**
 * The project's symlinks at earlier times. Agents record only an edit's path, and a symlink that
 * was created later leads somewhere else (sem.A11).
 */
export function linkHistory(valueThen: ValueThen): LinkThen {
  return (path, at) => {
    const then = valueThen(path, at)
    if (then === undefined) return undefined
    return then.kind === 'symlink' ? then.target : null
  }
}

const ABSENT: Value = { kind: 'absent' }
