import type { Sighting } from '#store'
import { TICK, type Author } from './authors.ts'
import type { WovenLink } from './woven-link.ts'

/** The agent writes its row after the file: how much later it may be. */
export const SLACK = 2000

/**
 * Whether a known write is what last changed the directory that a deleted file went from: then
 * that time says nothing about the deletion (sem.A13).
 */
export function explainer(
  recorded: readonly WovenLink[],
  seen: readonly Sighting[],
): (sighting: Sighting) => boolean {
  const known = recorded.filter(
    ({ author }) => author.kind === 'turn' || author.kind === 'operation',
  )
  const paths = new Set(known.map(({ path }) => path))
  const exact = seen
    .filter(({ path }) => paths.has(path))
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

/**
 * The agent writes an edit down when its hooks have ended. If the file was not touched after that,
 * what differs from the edit is the work of those hooks: a formatter (sem.A12).
 */
export function hooksAfter(
  edit: WovenLink | undefined,
  { changedAt, after }: Sighting,
): Author | null {
  if (edit === undefined || edit.author.kind !== 'turn' || changedAt === null) return null
  if (after.kind === 'absent' || changedAt > edit.at + TICK) return null
  return changedAt < (edit.calledAt ?? edit.at) - TICK ? null : hooksOf(edit)
}

/**
 * Between two edits of a turn: the agent refuses to edit a file that changed since it last read or
 * wrote it, unless its own hooks changed it.
 */
export function hooksBetween(edit: WovenLink | undefined, next: WovenLink): Author | undefined {
  if (edit?.author.kind !== 'turn' || edit.author.id !== next.author.id) return undefined
  return next.isReread === false ? hooksOf(edit) : undefined
}

/** A person who is asked for permission needs longer: such an edit was written at once. */
const AT_ONCE = 2000

/**
 * Other files that changed between an edit and the end of its hooks: a formatter of the whole
 * project, a generator (sem.A12). Where the agent may have waited for permission, the edited file
 * itself tells when the edit was written. What was saved before the call is the user's, however
 * little before.
 */
export function hooksBeside(
  recorded: readonly WovenLink[],
  seen: readonly Sighting[],
): (sighting: Sighting) => Author | null {
  const edits = recorded.flatMap((link) => {
    const { isKnown, author, calledAt, at } = link
    if (isKnown === true || author.kind !== 'turn' || calledAt === undefined) return []
    const times = seen.flatMap(({ path, changedAt }) =>
      path === link.path && changedAt !== null && changedAt >= calledAt - TICK ? [changedAt] : [],
    )
    const from = at - calledAt <= AT_ONCE ? calledAt : Math.min(...times)
    return [{ link, from, to: at + TICK }]
  })
  return ({ changedAt, after, directory }) => {
    if (changedAt === null || (directory === undefined && after.kind === 'absent')) return null
    const near = edits.filter(({ from, to }) => from <= changedAt && changedAt <= to)
    const turns = new Set(near.map(({ link }) => link.author.id))
    return turns.size === 1 ? hooksOf(near.at(-1)!.link) : null
  }
}

function hooksOf({ author, evidence }: WovenLink): Author {
  return { ...author, evidence: `hooks after ${evidence}` }
}
