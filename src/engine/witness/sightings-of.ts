import { lstatPath } from '#disk'
import type { Observation } from '#snapshots'
import type { Sighting } from '#store'
import { absent, type ProjectPath } from '#timeline'

type Times = Pick<Sighting, 'since' | 'began' | 'at'>

/** What differed at one look, each with the time at which it happened as far as that is known. */
export function sightingsOf(
  root: string,
  { changed, madeDirectories, goneDirectories }: Observation,
  times: Times,
): Sighting[] {
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

  /** A file that came with its directory has the times it had before: the directory's tell. */
  function arrivedAt(path: ProjectPath, changedAt: number): number | null {
    if (changedAt >= times.since) return changedAt
    for (const parent of parentsOf(path)) {
      const at = madeDirectories.has(parent) ? directoryMadeAt(parent) : null
      if (at !== null) return at
    }
    return movedBy(path)
  }

  /** When it was made or, if it is older than the look before, moved here. */
  function directoryMadeAt(path: ProjectPath): number | null {
    const stat = lstatPath(`${root}/${path}`)
    if (stat === null) return null
    const all = [Number(stat.birthtimeNs) / 1e6, Number(stat.ctimeNs) / 1e6]
    const own = all.find((at) => at >= times.since)
    if (own !== undefined) return own
    const parent = parentsOf(path)[0]
    const isNew = parent !== undefined && madeDirectories.has(parent)
    return isNew ? directoryMadeAt(parent) : movedBy(path)
  }

  /**
   * When a directory took the place of another, with all that lies in it: not after any of them last
   * changed. Without it, a slow look makes it unsure whose move it was.
   */
  function movedBy(path: ProjectPath): number | null {
    const all = parentsOf(path).map((each) => Number(lstatPath(`${root}/${each}`)?.ctimeNs) / 1e6)
    const last = Math.max(...all.filter((at) => at >= times.since))
    return Number.isFinite(last) ? last : null
  }
}

/** Only of a file that is new: an editor's save makes a new file of an old one. */
function bornAt(root: string, path: ProjectPath): { bornAt?: number } {
  const born = Number(lstatPath(`${root}/${path}`)?.birthtimeNs ?? 0n) / 1e6
  return born > 0 ? { bornAt: born } : {}
}

function modeOf(root: string, path: ProjectPath): number {
  return Number(lstatPath(`${root}/${path}`)?.mode ?? 0o755) & 0o7777
}

/**
 * What is gone has no time any more; the nearest directory above that is still there has. One that
 * did not change since the last look was moved there instead, which changed the directory above it.
 */
function leftAt(root: string, path: ProjectPath, since: number): number | null {
  for (const parent of [...parentsOf(path), '']) {
    const stat = lstatPath(parent === '' ? root : `${root}/${parent}`)
    const at = stat?.isDirectory() === true ? Number(stat.mtimeNs) / 1e6 : Number.NEGATIVE_INFINITY
    if (at >= since) return at
  }
  return null
}

/** The nearest first. */
function parentsOf(path: ProjectPath): ProjectPath[] {
  const parts = path.split('/')
  return parts
    .slice(1)
    .map((_, up) => parts.slice(0, parts.length - 1 - up).join('/') as ProjectPath)
}
