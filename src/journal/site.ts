import {
  ownNames,
  readEntry,
  removeIfThere,
  splitLast,
  tryInDirectory,
  type Found,
  type PinnedRoot,
  type Spot,
} from '#disk'
import type { Operation, OperationPath } from '#store'

/** One path of an operation on the disk: itself, and the operation's own files for it. */
export interface Site {
  readonly change: OperationPath
  /** Null while the directory it lies in is not there. */
  readonly target: Spot | null
  readonly stage: Spot
  readonly aside: Spot
  readonly back: Spot
  readonly probe: Spot
}

/**
 * Opens the directories of one path and runs `use` there. They are opened anew each time: one held
 * open could meanwhile have been moved out of the project. Null when the directory that holds the
 * operation's files is gone.
 */
export function atSite<T>(
  root: PinnedRoot,
  operation: Operation,
  n: number,
  use: (site: Site) => T,
): T | null {
  const change = operation.paths[n]!
  const names = ownNames(operation.tag, n)
  const { parent, name } = splitLast(change.path)
  const result = tryInDirectory(root, change.anchor, (anchor) => {
    const site = (target: Spot | null): Site => ({
      change,
      target,
      stage: { directory: anchor, name: names.stage },
      aside: { directory: anchor, name: names.aside },
      back: { directory: anchor, name: names.back },
      probe: { directory: anchor, name: names.probe },
    })
    if (parent === change.anchor) return { value: use(site({ directory: anchor, name })) }
    return (
      tryInDirectory(root, parent, (directory) => ({ value: use(site({ directory, name })) })) ?? {
        value: use(site(null)),
      }
    )
  })
  return result === null ? null : result.value
}

export function readSpot(spot: Spot | null): Found {
  return spot === null ? { kind: 'absent' } : readEntry(spot.directory, spot.name)
}

export function removeSpot(spot: Spot): boolean {
  return removeIfThere(spot.directory.disk, spot.directory.at(spot.name))
}
