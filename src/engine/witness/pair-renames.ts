import type { ProjectPath, Value } from '#timeline'
import type { CombinedLink } from './combined-link.ts'

/** How much two contents have in common, from 0 to 1. */
export type Similarity = (a: Value, b: Value) => number

/** "Clearly similar" starts here: most of the content is the same. */
const CLEARLY = 0.6
/** Compare every lost file with every new one only up to this many pairs: it is slow. */
const MAX_COMPARED = 400
const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/**
 * A file that vanished and one that appeared in the same scan are one renamed file if they have the
 * same author and the same or clearly similar content (sem.M5).
 */
export function pairRenames(links: readonly CombinedLink[], likeness: Similarity): CombinedLink[] {
  const pairs = new Map<CombinedLink, CombinedLink>()
  const byLook = Map.groupBy(
    links.filter(({ seenAt, directory }) => seenAt !== undefined && directory === undefined),
    ({ seenAt }) => seenAt,
  )
  for (const seen of byLook.values()) {
    const lost = new Set(seen.filter(({ before, after }) => isFile(before) && isAbsent(after)))
    const found = seen.filter(({ before, after }) => isAbsent(before) && isFile(after))
    const rank = (score: (from: CombinedLink, to: CombinedLink) => number): void => {
      for (const to of found) {
        if (pairs.has(to)) continue
        const best = [...lost]
          .map((from) => ({ from, score: score(from, to) }))
          .filter((each) => each.score >= CLEARLY)
          .toSorted((a, b) => b.score - a.score)[0]
        if (best === undefined) continue
        lost.delete(best.from)
        pairs.set(to, best.from)
      }
    }
    if (lost.size === 0) continue
    const contents = Map.groupBy(lost, ({ before }) => keyOf(before))
    rank((from, to) => {
      if (!contents.has(keyOf(to.after)) || keyOf(from.before) !== keyOf(to.after)) return 0
      const sameName = nameOf(from.path) === nameOf(to.path)
      if (!isSameHand(from, to, 'same') || (isTrivial(to.after) && !sameName)) return 0
      return sameName ? 2 : 1
    })
    if (lost.size * found.length > MAX_COMPARED) continue
    rank((from, to) => (isSameHand(from, to, 'similar') ? likeness(from.before, to.after) : 0))
  }
  const gone = new Set(pairs.values())
  return links
    .filter((link) => !gone.has(link))
    .map((link) => {
      const from = pairs.get(link)
      return from === undefined ? link : { ...link, from: from.path, before: from.before }
    })
}

/**
 * The author of a deletion is often unsure, because only the directory's time dates it. The same
 * content at a new path removes the doubt.
 */
function isSameHand(from: CombinedLink, to: CombinedLink, content: 'same' | 'similar'): boolean {
  // Changes merge inside the project but not outside it, so a rename cannot cross its border.
  if (from.path.startsWith('/') !== to.path.startsWith('/')) return false
  if (to.author.kind !== 'turn' || from.author.id !== to.author.id) return false
  return from.author.kind === 'turn' || (content === 'same' && from.author.kind === 'unsure')
}

function isFile(value: Value): boolean {
  return value.kind === 'file' || value.kind === 'symlink'
}

function isAbsent(value: Value): boolean {
  return value.kind === 'absent'
}

function isTrivial(value: Value): boolean {
  return value.kind === 'file' && value.content === EMPTY
}

function keyOf(value: Value): string {
  return value.kind === 'file' ? value.content : value.kind === 'symlink' ? `>${value.target}` : ''
}

function nameOf(path: ProjectPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
