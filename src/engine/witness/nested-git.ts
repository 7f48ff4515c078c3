import { lstatPath } from '#disk'
import { findRepository, gitMovesSince, readGitPlace, type GitPlace } from '#snapshots'
import { getSessionFact, putSessionFact, type Store } from '#store'
import { TICK } from './authors.ts'
import { isOfStash, type MoveSomewhere } from './git-changes.ts'

// Stands in for a session id: this fact belongs to the project.
const PROJECT = '*'
const FACT = 'nested-git'

type Places = Readonly<Record<string, GitPlace>>

const BEGINNING: GitPlace = { head: 0, stashes: [] }

/**
 * What happened to git since the last scan in the repositories inside a project: submodules, clones
 * and worktrees. Their files belong to the project's snapshot, but each has its own log.
 */
export function takeNestedMoves(
  store: Store,
  root: string,
  left: readonly { readonly path: string; readonly why: string }[],
  /** When the last scan began; null if there was none. */
  lastScan: number | null,
): MoveSomewhere[] {
  const before = (getSessionFact(store, PROJECT, FACT) ?? {}) as Places
  const tops = left.flatMap(({ path, why }) =>
    why === 'repository' && path.endsWith('/.git') ? [path.slice(0, -'/.git'.length)] : [],
  )
  const common = tops.length === 0 ? undefined : findRepository(root)?.common
  const now: Record<string, GitPlace> = {}
  const moves: MoveSomewhere[] = []
  for (const top of tops) {
    const whole = `${root}/${top}`
    const repository = findRepository(whole)
    // A `.git` that is damaged, or that git does not take for a repository.
    if (repository?.top !== whole) continue
    now[top] = readGitPlace(whole)!
    const isWorktree = repository.common === common
    // A new repository is named as a whole. The commits in a new worktree are the project's, and
    // stay when the worktree is removed.
    const isNew = isWorktree && isBornSince(repository.directory, lastScan)
    const since = before[top] ?? (isNew ? BEGINNING : undefined)
    if (since === undefined) continue
    // A worktree shares the stash of its repository: the project's own scan records it.
    const isOwn = ({ kind }: MoveSomewhere): boolean => !isOfStash(kind) || !isWorktree
    const found = gitMovesSince(whole, since).filter(isOwn)
    moves.push(...found.map((move) => ({ ...move, root: whole })))
  }
  if (JSON.stringify(now) !== JSON.stringify(before)) putSessionFact(store, PROJECT, FACT, now)
  return moves
}

/**
 * By the time of the file system: git's own can be overridden. A worktree that was moved here is
 * older, and its log is history.
 */
function isBornSince(directory: string, lastScan: number | null): boolean {
  const born = Number(lstatPath(directory)?.birthtimeNs ?? 0n) / 1e6
  return lastScan !== null && born >= lastScan - TICK
}
