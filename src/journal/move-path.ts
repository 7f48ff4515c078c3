import { isSameFile, moveAside, place, putBack, type Spot, type Stat } from '#disk'
import type { Store } from '#store'
import type { Value } from '#timeline'
import { holds, keep, valueOf } from './found-value.ts'
import { readSpot, removeSpot, type Site } from './site.ts'

/** What became of one path. */
export type PathResult =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'conflict'; readonly found: Value }

// All three functions look before each step, so that they can be run again after a death in the
// middle of themselves. What they go by:
//
//   stage  aside  path          means
//   yes    no     old           nothing done yet
//   yes    yes    free          moved aside
//   yes    yes    = stage       linked, the stage's own name not removed yet
//   no     yes    new           done
//   yes    yes    = aside       somebody else's save was found aside and put back
//   no     no     old           taken back

/** Puts the staged file in the place of what is expected there. */
export function replacePath(store: Store, site: Site): PathResult {
  const { change, target, stage } = site
  const staged = statSpot(stage)
  if (staged === null) return settled(site)
  if (target === null) throw missingDirectory(change.path)

  const isLinked = isSameFile(statSpot(target), staged)
  if (change.pre.kind !== 'absent' && !isLinked) {
    const cleared = clearPath(store, site)
    if (cleared !== 'cleared') return cleared
  }
  if (!isLinked && place(stage, target) === 'occupied') return settled(site)
  removeSpot(stage)
  return { outcome: 'applied' }
}

/** Moves away what is expected there and puts nothing in its place. */
export function deletePath(store: Store, site: Site): PathResult {
  const cleared = clearPath(store, site)
  return cleared === 'cleared' ? settled(site) : cleared
}

/**
 * Moves aside what stands there and looks at it only then. If it is not what the plan expects,
 * somebody saved in between: it goes back to its place.
 */
function clearPath(store: Store, site: Site): 'cleared' | PathResult {
  const { change, target, aside } = site
  if (statSpot(aside) === null) {
    const standing = statSpot(target)
    if (standing === null || target === null) return settled(site)
    if (standing.kind === 'directory' || standing.kind === 'special') return settled(site)
    if (moveAside(target, aside) === 'gone') return settled(site)
  } else if (isSameFile(statSpot(target), statSpot(aside))) {
    removeSpot(aside)
    return settled(site)
  }
  const moved = readSpot(aside)
  if (holds(moved, change.pre)) return 'cleared'
  keep(store, moved)
  if (target !== null) putBack(aside, target)
  return settled(site)
}

/** Takes the path back to what it was, from wherever it stands. Null when that is so. */
export function takePathBack(store: Store, site: Site): Value | null {
  const { change, target, stage, aside, back, probe } = site
  emptyBack(store, site)
  if (target !== null && isOurs(site)) {
    moveAside(target, back)
    emptyBack(store, site)
  }
  const isAside = statSpot(aside) !== null
  if (isAside && (target === null || putBack(aside, target) === 'occupied')) {
    keep(store, readSpot(aside))
    removeSpot(aside)
  }
  for (const own of [stage, probe]) removeSpot(own)
  const now = readSpot(target)
  return holds(now, change.pre) ? null : valueOf(now)
}

/** What was moved to `back` is the new file and goes, or somebody's save, and returns. */
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
function isOurs({ change, target, stage, aside }: Site): boolean {
  if (change.post.kind === 'absent') return false
  if (!holds(readSpot(target), change.post)) return false
  const staged = statSpot(stage)
  // A symlink may have been made anew instead of linked; what it says is all there is to it.
  if (staged !== null && staged.kind !== 'symlink') return isSameFile(staged, statSpot(target))
  return change.pre.kind === 'absent' || statSpot(aside) !== null
}

/** What stands there now decides: what somebody else put there is kept and reported. */
export function settled(site: Site): PathResult {
  const now = readSpot(site.target)
  return holds(now, site.change.post)
    ? { outcome: 'applied' }
    : { outcome: 'conflict', found: valueOf(now) }
}

export function statSpot(spot: Spot | null): Stat | null {
  return spot === null ? null : spot.directory.disk.stat(spot.directory.at(spot.name))
}

function missingDirectory(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
}
