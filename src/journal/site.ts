import {
  ownNames,
  readEntry,
  removeIfExists,
  splitLast,
  tryInDirectory,
  type FoundEntry,
  type Spot,
  type Stat,
} from '#disk'
import { Failure } from '#failure'
import type { Operation, OperationPath } from '#store'
import type { Journal } from './journal.ts'
import { quarantineSpot } from './quarantine.ts'
import { rootFor } from './respelled.ts'

/** One path of an operation, with the operation's own files for it. */
export interface Site {
  readonly change: OperationPath
  /** Null while its parent directory does not exist. */
  readonly target: Spot | null
  readonly stage: Spot
  /** Where the old file goes. */
  readonly quarantined: Spot
  /** Where it goes instead if the quarantine is on another file system, and if it is no file. */
  readonly aside: Spot
  readonly back: Spot
  readonly probe: Spot
}

/**
 * What to do if the directory with an operation's files is missing. The process that runs the
 * operation fails, because the directory may come back with our files in it. Recovery accepts that
 * the user removed it; all contents are in the store.
 */
export type WhenGone = 'fail' | 'accept'

/**
 * Opens the directories of one path and runs `use` there. Opens them again each time, because one
 * that stays open may be moved out of the project. Returns null if they are gone and `whenGone` is
 * `accept`.
 */
export function atSite<T>(
  { root, store }: Pick<Journal, 'root' | 'store'>,
  operation: Operation,
  n: number,
  whenGone: WhenGone,
  use: (site: Site) => T,
): T | null {
  const change = operation.paths[n]!
  const names = ownNames(operation.tag, n)
  const { parent, name } = splitLast(change.path)
  const seen = rootFor(root, operation, n)
  const result = tryInDirectory(seen, change.anchor, (anchor) => {
    const site = (target: Spot | null): Site => ({
      change,
      target,
      stage: { directory: anchor, name: names.stage },
      quarantined: quarantineSpot(store, operation, n),
      aside: { directory: anchor, name: names.aside },
      back: { directory: anchor, name: names.back },
      probe: { directory: anchor, name: names.probe },
    })
    if (parent === change.anchor) return { value: use(site({ directory: anchor, name })) }
    return (
      tryInDirectory(seen, parent, (directory) => ({ value: use(site({ directory, name })) })) ?? {
        value: use(site(null)),
      }
    )
  })
  if (result !== null) return result.value
  if (whenGone === 'accept') return null
  throw new Failure(
    'changed-meanwhile',
    `The directory ${change.anchor} was moved or removed in the meantime.`,
  )
}

export function statSpot(spot: Spot | null): Stat | null {
  return spot === null ? null : spot.directory.disk.stat(spot.directory.at(spot.name))
}

export function readSpot(spot: Spot | null): FoundEntry {
  return spot === null ? { kind: 'absent' } : readEntry(spot.directory, spot.name)
}

export function removeSpot(spot: Spot): boolean {
  return removeIfExists(spot.directory.disk, spot.directory.at(spot.name))
}
