import { isSameFile, moveAside, place, putBack, type Spot, type Stat } from '#disk'
import type { Store } from '#store'
import type { Value } from '#timeline'
import { holds, keep, valueOf } from './found-value.ts'
import { readSpot, removeSpot, type Site } from './site.ts'

/** What became of one path. */
export type PathResult =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'conflict'; readonly found: Value }

// `replacePath`, `deletePath` and `rollBackPath` check the files before each step, so they can run
// again after a crash in the middle. The files that exist tell how far a path got:
//
//   stage  aside  path          means
//   yes    no     old           nothing done yet
//   yes    yes    free          moved aside
//   yes    yes    = stage       linked, the stage's own name not removed yet
//   no     yes    new           done
//   yes    yes    = aside       the file moved aside was another program's save, and was moved back
//   no     no     old           rolled back

/** Replaces the expected file with the staged one. */
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

/** Moves the expected file aside and puts nothing in its place. */
export function deletePath(store: Store, site: Site): PathResult {
  const cleared = clearPath(store, site)
  return cleared === 'cleared' ? settled(site) : cleared
}

/**
 * Moves the file aside first and checks it afterwards. If it is not what the plan expects, another
 * program saved it meanwhile, and it goes back.
 */
function clearPath(store: Store, site: Site): 'cleared' | PathResult {
  const { change, target, aside } = site
  if (statSpot(aside) === null) {
    const current = statSpot(target)
    if (current === null || target === null) return settled(site)
    if (current.kind === 'directory' || current.kind === 'special') return settled(site)
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

/**
 * Restores the path's old value from any state. Returns null on success, else the value found
 * there.
 */
export function rollBackPath(store: Store, site: Site): Value | null {
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
function isOurs({ change, target, stage, aside }: Site): boolean {
  if (change.post.kind === 'absent') return false
  if (!holds(readSpot(target), change.post)) return false
  const staged = statSpot(stage)
  // A symlink may have been recreated instead of linked, so only its target can be compared.
  if (staged !== null && staged.kind !== 'symlink') return isSameFile(staged, statSpot(target))
  return change.pre.kind === 'absent' || statSpot(aside) !== null
}

/** The file present now decides. Other programs' content is kept and reported. */
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
