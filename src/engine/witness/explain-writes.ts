import type { Sighting } from '#store'
import { sameValue, type Value } from '#timeline'
import { TICK, type Author } from './authors.ts'
import type { CombinedLink } from './combined-link.ts'

/** How long after the file the agent may write its row. */
export const SLACK = 2000

/**
 * Whether a known write last changed the directory of a deleted file. Then the directory's time
 * says nothing about the deletion (sem.A13).
 */
export function explainer(
  recorded: readonly CombinedLink[],
  seen: readonly Sighting[],
): (sighting: Sighting) => boolean {
  const known = recorded.filter(
    ({ author }) => author.kind === 'turn' || author.kind === 'operation',
  )
  const exact = seen
    // Only if the last write is a known one. A deleted file has its directory's time, which is what
    // is to be explained.
    .filter(({ path, after }) => known.some((link) => link.path === path && left(link, after)))
    .flatMap(({ path, changedAt, bornAt }) =>
      [changedAt, bornAt].flatMap((at) => (at === null || at === undefined ? [] : [{ path, at }])),
    )
  return ({ path, changedAt }) => {
    if (changedAt === null) return false
    const parent = path.slice(0, path.lastIndexOf('/') + 1)
    return (
      exact.some((write) => write.path !== path && Math.abs(write.at - changedAt) <= TICK) ||
      known.some(
        (link) =>
          link.path !== path &&
          link.path.startsWith(parent) &&
          link.at >= changedAt - TICK &&
          (link.calledAt ?? link.at - SLACK) <= changedAt,
      )
    )
  }
}

/** Whether a link left this content. A recorded edit's mode is only a guess. */
function left({ after }: CombinedLink, seen: Value): boolean {
  if (after.kind === 'file' && seen.kind === 'file') return after.content === seen.content
  return seen.kind !== 'absent' && sameValue(after, seen)
}

/**
 * The agent records an edit after its hooks have ended. If the file did not change after that, its
 * differences from the edit come from those hooks, such as a formatter (sem.A12).
 */
export function hooksAfter(
  edit: CombinedLink | undefined,
  { changedAt, after }: Sighting,
): Author | null {
  if (edit === undefined || edit.author.kind !== 'turn' || changedAt === null) return null
  if (after.kind === 'absent' || changedAt > edit.at + TICK) return null
  return changedAt < (edit.calledAt ?? edit.at) - TICK ? null : hooksOf(edit)
}

/**
 * For a change between two edits of a turn. The agent refuses to edit a file that changed since it
 * last read or wrote it, unless its own hooks changed it.
 */
export function hooksBetween(
  edit: CombinedLink | undefined,
  next: CombinedLink,
): Author | undefined {
  if (edit?.author.kind !== 'turn' || edit.author.id !== next.author.id) return undefined
  return next.isReread === false ? hooksOf(edit) : undefined
}

/** An edit recorded this soon after its call did not wait for permission: people take longer. */
const IMMEDIATE_MS = 2000

/**
 * Attributes other files that changed between an edit and the end of its hooks to those hooks: a
 * project-wide formatter or a generator (sem.A12). If the agent may have waited for permission, the
 * edited file's own time marks the start. Files saved before the call, however shortly, are the
 * user's.
 */
export function hooksBeside(
  recorded: readonly CombinedLink[],
  seen: readonly Sighting[],
): (sighting: Sighting) => Author | null {
  const edits = recorded.flatMap((link) => {
    const { isKnown, author, calledAt, at } = link
    if (isKnown === true || author.kind !== 'turn' || calledAt === undefined) return []
    const times = seen.flatMap(({ path, changedAt }) =>
      path === link.path && changedAt !== null && changedAt >= calledAt - TICK ? [changedAt] : [],
    )
    const from = at - calledAt <= IMMEDIATE_MS ? calledAt : Math.min(...times)
    return [{ link, from, to: at + TICK }]
  })
  return ({ changedAt, after, directory }) => {
    // A deletion has the time of its directory, which the edit itself may have changed.
    const isGone = directory === undefined ? after.kind === 'absent' : directory.change === 'gone'
    if (changedAt === null || isGone) return null
    const near = edits.filter(({ from, to }) => from <= changedAt && changedAt <= to)
    const turns = new Set(near.map(({ link }) => link.author.id))
    return turns.size === 1 ? hooksOf(near.at(-1)!.link) : null
  }
}

function hooksOf({ author, evidence }: CombinedLink): Author {
  return { ...author, evidence: `${HOOKS}${evidence}` }
}

const HOOKS = 'hooks after '

/** Whether the agent's hooks made the change, which the agent does not record (sem.A12). */
export function isOfHooks(evidence: string): boolean {
  return evidence.startsWith(HOOKS)
}
