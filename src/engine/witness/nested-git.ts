import { findRepository, gitMovesSince, readGitPlace, type GitPlace } from '#snapshots'
import { getSessionFact, putSessionFact, type Store } from '#store'
import type { MoveSomewhere } from './git-changes.ts'

// Stands in for a session id: this fact belongs to the project.
const PROJECT = '*'
const FACT = 'nested-git'

type Places = Readonly<Record<string, GitPlace>>

/** Git's timestamps are whole seconds. */
const SECOND = 1000

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
    const since = before[top] ?? (isWorktree && lastScan !== null ? BEGINNING : undefined)
    if (since === undefined) continue
    // A worktree that was moved here brings its whole log.
    const isRecent = ({ at }: MoveSomewhere): boolean =>
      since !== BEGINNING || at + SECOND > lastScan!
    // A worktree shares the stash of its repository: the project's own scan records it.
    const isOwn = ({ kind }: MoveSomewhere): boolean => kind !== 'stash' || !isWorktree
    const found = gitMovesSince(whole, since).filter((move) => isOwn(move) && isRecent(move))
    moves.push(...found.map((move) => ({ ...move, root: whole })))
  }
  if (JSON.stringify(now) !== JSON.stringify(before)) putSessionFact(store, PROJECT, FACT, now)
  return moves
}
