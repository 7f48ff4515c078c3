import { lstatPath } from '#disk'
import type { Observation } from '#snapshots'
import type { Sighting } from '#store'
import { absent, type ProjectPath } from '#timeline'
import { TICK } from './authors.ts'

/**
 * Milliseconds by which file times lag at most. Their clock advances with the timer's interrupts,
 * which a busy host delays for its virtual machines.
 */
export const MAX_LAG = 500

type Times = Pick<Sighting, 'since' | 'began' | 'at'>

/**
 * The differences that one scan found, each with the time of the change if known. The clock of file
 * times lags behind the scans' clock: a change right after the last scan can seem to be before it.
 */
export function sightingsOf(
  root: string,
  { changed, madeDirectories, goneDirectories }: Observation,
  times: Times,
): Sighting[] {
  const since = times.since - TICK
  const files = [...changed].map(([path, { before, after, changedAt }]): Sighting => ({
    path,
    before,
    after,
    ...times,
    changedAt: changedAt === null ? leftAt(root, path, times.since) : arrivedAt(path, changedAt),
    ...(before.kind === 'absent' ? bornAt(root, path) : {}),
  }))
  const made = [...madeDirectories].map((path): Sighting => ({
    path,
    before: absent,
    after: absent,
    ...times,
    changedAt: directoryMadeAt(path),
    directory: { change: 'made', mode: modeOf(root, path) },
  }))
  const gone = [...goneDirectories].map(([path, mode]): Sighting => ({
    path,
    before: absent,
    after: absent,
    ...times,
    changedAt: leftAt(root, path, times.since),
    directory: { change: 'gone', mode },
  }))
  return [...files, ...made, ...gone]

  /**
   * A file that was moved with its directory keeps its old times, so the directory's time counts.
   */
  function arrivedAt(path: ProjectPath, changedAt: number): number | null {
    if (changedAt >= since) return changedAt
    for (const parent of parentsOf(path)) {
      const at = madeDirectories.has(parent) ? directoryMadeAt(parent) : null
      if (at !== null) return at
    }
    return movedBy(path) ?? lagging(changedAt, path)
  }

  /**
   * A change that no scan saw before can only seem this old if the clock of file times has stood
   * still. Otherwise a directory would have changed since, into which the file was moved.
   */
  function lagging(at: number, path: ProjectPath): number | null {
    if (at < times.since - MAX_LAG) return null
    const directories = [...parentsOf(path).map((each) => `${root}/${each}`), root]
    const changes = directories.map((each) => Number(lstatPath(each)?.ctimeNs ?? 0n) / 1e6)
    return Math.max(...changes) < times.since ? at : null
  }

  /** When the directory was made or, if it is older than the previous scan, moved here. */
  function directoryMadeAt(path: ProjectPath): number | null {
    const stat = lstatPath(`${root}/${path}`)
    if (stat === null) return null
    const all = [Number(stat.birthtimeNs) / 1e6, Number(stat.ctimeNs) / 1e6]
    const own = all.find((at) => at >= since)
    if (own !== undefined) return own
    const parent = parentsOf(path)[0]
    const isNew = parent !== undefined && madeDirectories.has(parent)
    return isNew ? directoryMadeAt(parent) : (movedBy(path) ?? lagging(Math.max(...all), path))
  }

  /**
   * The latest time at which a directory can have replaced another one with all its contents: when
   * a parent last changed. Without it, a slow scan leaves the author of the move unsure.
   */
  function movedBy(path: ProjectPath): number | null {
    const all = parentsOf(path).map((each) => Number(lstatPath(`${root}/${each}`)?.ctimeNs) / 1e6)
    const last = Math.max(...all.filter((at) => at >= times.since))
    return Number.isFinite(last) ? last : null
  }
}

/** Only for new files: an editor's save also creates a new file in place of the old one. */
function bornAt(root: string, path: ProjectPath): { bornAt?: number } {
  const born = Number(lstatPath(`${root}/${path}`)?.birthtimeNs ?? 0n) / 1e6
  return born > 0 ? { bornAt: born } : {}
}

function modeOf(root: string, path: ProjectPath): number {
  return Number(lstatPath(`${root}/${path}`)?.mode ?? 0o755) & 0o7777
}

/**
 * A deleted path has no time, but the nearest directory above it that still exists has. If that one
 * did not change since the last scan, it was moved there, which changed the directory above it. If
 * none changed, the clock of file times lags, and the path was deleted at the last change at most.
 */
function leftAt(root: string, path: ProjectPath, since: number): number | null {
  let last = Number.NEGATIVE_INFINITY
  for (const parent of [...parentsOf(path), '']) {
    const stat = lstatPath(parent === '' ? root : `${root}/${parent}`)
    const at = stat?.isDirectory() === true ? Number(stat.mtimeNs) / 1e6 : Number.NEGATIVE_INFINITY
    if (at >= since) return at
    last = Math.max(last, at)
  }
  return last >= since - MAX_LAG ? last : null
}

/** Nearest first. */
function parentsOf(path: ProjectPath): ProjectPath[] {
  const parts = path.split('/')
  return parts
    .slice(1)
    .map((_, up) => parts.slice(0, parts.length - 1 - up).join('/') as ProjectPath)
}
