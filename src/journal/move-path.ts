import { errnoOf, isSameFile, moveAside, place, putBack, type Spot } from '#disk'
import type { Store } from '#store'
import type { Value } from '#timeline'
import { holds, keep, valueOf } from './found-value.ts'
import { readSpot, removeSpot, statSpot, type Site } from './site.ts'

/** What became of one path. */
export type PathResult =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'conflict'; readonly found: Value }

// `replacePath` and `deletePath` run once. `rollBackPath` checks the files before each step, so it
// can run again after a crash in the middle. The files that exist tell how far a path got; `old` is
// the quarantined file, or the one aside:
//
//   stage  old  path          means
//   yes    no   old           nothing done yet
//   yes    yes  free          moved
//   yes    yes  = stage       linked, the stage's own name not removed yet
//   no     yes  new           done
//   yes    yes  = old         the file moved was another program's save, and was linked back
//   no     no   old           rolled back

/** Whether one of the operation's own files may still be next to the target. */
export type Moved = PathResult & { readonly isTidy: boolean }

/** Replaces the expected file with the staged one. */
export function replacePath(store: Store, site: Site): Moved {
  const { change, target, stage } = site
  if (target === null) throw missingDirectory(change.path)
  let isTidy = true
  if (change.pre.kind !== 'absent') {
    const cleared = clearPath(store, site)
    if (cleared.kind === 'kept') return { ...cleared.result, isTidy: false }
    isTidy = cleared.old === site.quarantined
  }
  if (place(stage, target) === 'occupied') return { ...settled(site), isTidy: false }
  stage.directory.disk.unlink(stage.directory.at(stage.name))
  return { outcome: 'applied', isTidy }
}

/** Moves the expected file out and puts nothing in its place. */
export function deletePath(store: Store, site: Site): Moved {
  const cleared = clearPath(store, site)
  if (cleared.kind === 'kept') return { ...cleared.result, isTidy: false }
  return { ...settled(site), isTidy: cleared.old === site.quarantined }
}

type Cleared =
  | { readonly kind: 'cleared'; readonly old: Spot }
  | { readonly kind: 'kept'; readonly result: PathResult }

/**
 * Moves the file first and checks it afterwards. If it is not what the plan expects, another program
 * saved it meanwhile, and it goes back.
 */
function clearPath(store: Store, site: Site): Cleared {
  const { change, target } = site
  const kept = (): Cleared => ({ kind: 'kept', result: settled(site) })
  const current = statSpot(target)
  if (current === null || target === null) return kept()
  if (current.kind === 'directory' || current.kind === 'special') return kept()
  const old = current.kind === 'file' ? moveOut(target, site) : moveNextTo(target, site)
  if (old === null) return kept()
  const moved = readSpot(old)
  if (holds(moved, change.pre)) return { kind: 'cleared', old }
  keep(store, moved)
  putBack(old, target)
  return kept()
}

/** Null if the file is gone. */
function moveOut(target: Spot, site: Site): Spot | null {
  try {
    return moveAside(target, site.quarantined) === 'moved' ? site.quarantined : null
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return moveNextTo(target, site)
    throw error
  }
}

function moveNextTo(target: Spot, { aside }: Site): Spot | null {
  return moveAside(target, aside) === 'moved' ? aside : null
}

/** Where the old file is; null if it was not moved. */
export function findOld({ quarantined, aside }: Site): Spot | null {
  return [quarantined, aside].find((spot) => statSpot(spot) !== null) ?? null
}

/**
 * Restores the path's old value from any state. Returns null on success, else the value found
 * there.
 */
export function rollBackPath(store: Store, site: Site): Value | null {
  const { change, target, stage, back, probe } = site
  emptyBack(store, site)
  if (target !== null && isOurs(site)) {
    moveAside(target, back)
    emptyBack(store, site)
  }
  const old = findOld(site)
  if (old !== null && (target === null || putBack(old, target) === 'occupied')) {
    keep(store, readSpot(old))
    removeSpot(old)
  }
  for (const own of [stage, probe]) removeSpot(own)
  const now = readSpot(target)
  return holds(now, change.pre) ? null : valueOf(now)
}

/**
 * The file at `back` is either our new file, which is removed, or another program's save, which
 * returns to the path.
 */
function emptyBack(store: Store, { change, target, back }: Site): void {
  const moved = readSpot(back)
  if (moved.kind === 'absent') return
  if (!holds(moved, change.post)) {
    keep(store, moved)
    if (target !== null && putBack(back, target) === 'back') return
  }
  removeSpot(back)
}

/** Whether the new content at the path was put there by this operation. */
function isOurs(site: Site): boolean {
  const { change, target, stage } = site
  if (change.post.kind === 'absent') return false
  if (!holds(readSpot(target), change.post)) return false
  const staged = statSpot(stage)
  // A symlink may have been recreated instead of linked, so only its target can be compared.
  if (staged !== null && staged.kind !== 'symlink') return isSameFile(staged, statSpot(target))
  return change.pre.kind === 'absent' || findOld(site) !== null
}

/** The file present now decides. Other programs' content is kept and reported. */
export function settled(site: Site): PathResult {
  const now = readSpot(site.target)
  return holds(now, site.change.post)
    ? { outcome: 'applied' }
    : { outcome: 'conflict', found: valueOf(now) }
}

function missingDirectory(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
}
