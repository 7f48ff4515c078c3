import type { Sighting } from '#store'
import { sameValue, type ContentId, type Value } from '#timeline'
import { authorAt, authorBetween, TICK, type Author, type Witnesses } from './authors.ts'
import { doubtAuthors, type EditorSigns } from './doubt-authors.ts'
import { isRecorded, type CombinedLink } from './combined-link.ts'
import { explainer, hooksAfter, hooksBeside, hooksBetween, SLACK } from './explain-writes.ts'

/** A change that git made to a path when it moved its HEAD. */
export interface GitChange {
  readonly before: Value
  readonly after: Value
  readonly at: number
  readonly evidence: string
}

/**
 * Joins recorded edits and sightings into one chain of links per path. A gap between them is a
 * write by someone else; its time determines the author (sem.A2). "Between the turn's start and
 * end" is never enough: the user works meanwhile.
 */
export function combineLinks(
  recorded: readonly CombinedLink[],
  sightings: readonly Sighting[],
  witnesses: Witnesses,
  {
    gitChanges = () => [],
    isSameText = () => false,
    isInEditor = () => false,
    isEditorSave = () => false,
    isElsewhere = () => false,
  }: Partial<Pick<Knowing, 'gitChanges' | 'isSameText'> & EditorSigns> = {},
): CombinedLink[] {
  const files = sightings.filter(({ directory }) => directory === undefined)
  const seen = Map.groupBy(files, ({ path }) => path)
  const editsAt = Map.groupBy(recorded, ({ path }) => path)
  const paths = new Set([...editsAt.keys(), ...seen.keys()])
  const isExplained = explainer(recorded, files)
  const weigh = doubtAuthors(witnesses, files, { isInEditor, isEditorSave, isElsewhere })
  const ofHooks = hooksBeside(recorded, files)
  /** The author by time. If no step made the change, the hooks of an edit may have. */
  const authorOf = (sighting: Sighting, from?: number): Author => {
    const when = { isExplained: isExplained(sighting), ...(from === undefined ? {} : { from }) }
    const author = authorAt(witnesses, sighting, when)
    return weigh(author.kind === 'outside' ? (ofHooks(sighting) ?? author) : author, sighting)
  }
  const ofFiles = [...paths].flatMap((path) =>
    inOrder(
      combinePath(inTime(editsAt.get(path) ?? []), seen.get(path) ?? [], {
        witnesses,
        gitChanges,
        isSameText,
        authorOf,
      }),
    ),
  )
  const ofDirectories = sightings.flatMap((sighting): CombinedLink[] => {
    const { directory, before, after } = sighting
    if (directory === undefined) return []
    const author = madeByEdit(recorded, sighting) ?? authorOf(sighting)
    return [{ ...gap(sighting, before, after, author, sighting.at), directory }]
  })
  // Sort across paths: a file that is edited and then moved has links at two paths.
  return [...ofFiles, ...inOrder(ofDirectories)]
    .toSorted((a, b) => a.place - b.place)
    .map(({ link }) => link)
    .filter((link) => link.isKnown !== true)
}

/**
 * The agent's edit tools create the directories that a new file needs, but record only the file.
 */
function madeByEdit(
  recorded: readonly CombinedLink[],
  { path, directory, changedAt }: Sighting,
): Author | null {
  if (directory?.change !== 'made' || changedAt === null) return null
  const later = (link: CombinedLink): number => Math.abs(link.at - changedAt)
  const edit = recorded
    .filter(
      (link) =>
        link.isKnown !== true &&
        link.before.kind === 'absent' &&
        link.path.startsWith(`${path}/`) &&
        // Outside this window, a command right before or after the edit may have made it.
        changedAt >= (link.calledAt ?? link.at - SLACK) - TICK &&
        changedAt <= link.at + (link.calledAt === undefined ? SLACK : TICK),
    )
    .toSorted((a, b) => later(a) - later(b))[0]
  return edit === undefined ? null : { ...edit.author, evidence: edit.evidence }
}

/**
 * A path's links by time, those of the ledger in the ledger's order: a change by an edit's hook is
 * seen before the agent records the edit, but comes after it in the chain.
 */
function inTime(links: readonly CombinedLink[]): CombinedLink[] {
  let latest = Number.NEGATIVE_INFINITY
  return links
    .map((link) =>
      link.isKnown === true ? { ...link, at: (latest = Math.max(latest, link.at)) } : link,
    )
    .toSorted((a, b) => a.at - b.at)
}

/** Sort keys for a path's links: a chain must keep its order even if the times do not. */
function inOrder(links: readonly CombinedLink[]): { link: CombinedLink; place: number }[] {
  let place = Number.NEGATIVE_INFINITY
  return links.map((link) => ({ link, place: (place = Math.max(place, link.at)) }))
}

interface Knowing {
  readonly witnesses: Witnesses
  readonly gitChanges: (sighting: Sighting) => readonly GitChange[]
  /**
   * Whether two contents are the same text with other line endings, encoding or byte order mark.
   */
  readonly isSameText: (recorded: ContentId, seen: ContentId) => boolean
  readonly authorOf: (sighting: Sighting, from: number) => Author
}

function combinePath(
  recorded: readonly CombinedLink[],
  sightings: readonly Sighting[],
  knowing: Knowing,
): CombinedLink[] {
  const { witnesses, gitChanges, authorOf } = knowing
  const combined: CombinedLink[] = []
  let rest = recorded
  let edit: CombinedLink | undefined
  for (const sighting of sightings) {
    const earlier = countBefore(rest, sighting)
    // No scan saw these edits, but the scans around them saw the file's mode.
    const unseen = { before: combined.at(-1)?.after ?? sighting.before, after: sighting.before }
    combined.push(...settleGuesses(rest.slice(0, earlier), unseen, knowing))
    const late = lateEdits(rest.slice(0, earlier).at(-1), rest.slice(earlier), knowing)
    combined.push(...late)
    edit = late.at(-1) ?? rest.slice(0, earlier).findLast(isRecorded) ?? edit
    rest = rest.slice(earlier + late.length)
    const count = countInside(rest, sighting, knowing)
    const inside = settleGuesses(rest.slice(0, count), sighting, knowing)
    rest = rest.slice(count)
    let now = sighting.before
    let from = sighting.since
    const fill = (to: Value, at: number, author?: Author): void => {
      const by = author ?? authorBetween(witnesses, sighting.path, { from, to: at })
      if (!sameValue(now, to)) combined.push(gap(sighting, now, to, by, at))
      now = to
    }
    const git = inside.length === 0 ? gitChanges(sighting) : []
    for (const change of git) {
      if (!sameValue(now, change.before)) {
        if (!sameValue(change.after, sighting.after)) continue
        // `git reset --hard` discards an uncommitted edit: the author is the turn or user that ran
        // git.
        const author = authorAt(witnesses, sighting, { from })
        combined.push(gap(sighting, now, change.before, author, change.at))
        now = change.before
      }
      combined.push(gap(sighting, now, change.after, gitAuthor(change), change.at))
      now = change.after
      from = change.at
    }
    for (const link of inside) {
      if (link.before.kind !== 'unknown')
        fill(link.before, link.calledAt ?? link.at, hooksBetween(edit, link))
      // The sighting supplies what the agent did not record.
      combined.push(link.before.kind === 'unknown' ? { ...link, before: now } : link)
      now = link.after
      from = link.at
      if (isRecorded(link)) edit = link
    }
    // Two unknown values are not the same, so such a change is still recorded.
    if (sameValue(now, sighting.after)) continue
    if (now.kind === 'unknown' && inside.length > 0)
      combined.push({ ...combined.pop()!, after: sighting.after })
    else {
      const author = hooksAfter(edit, sighting) ?? authorOf(bornFrom(now, sighting), from)
      combined.push(gap(sighting, now, sighting.after, author, happenedAt(author, sighting, from)))
    }
  }
  return [...combined, ...rest]
}

/**
 * How many links come before a sighting. Known links that lead to what it began with are among
 * them even if their times are later: the agent records an edit after the scans that saw its hooks
 * at work.
 */
function countBefore(links: readonly CombinedLink[], { since, before }: Sighting): number {
  const fresh = links.findIndex(({ isKnown }) => isKnown !== true)
  const inLedger = fresh === -1 ? links : links.slice(0, fresh)
  const leading = inLedger.findLastIndex(({ after }) => sameValue(after, before)) + 1
  return Math.max(leading, links.findLastIndex(({ at }) => at <= since) + 1)
}

/**
 * Edits that the agent recorded after their change was ingested, and that a ledger link shows
 * already. They are not inside of a later sighting: that one began with what they left.
 */
function lateEdits(
  seen: CombinedLink | undefined,
  links: readonly CombinedLink[],
  knowing: Knowing,
): CombinedLink[] {
  const [first] = links
  if (seen?.isKnown !== true || isRecorded(seen) || first === undefined) return []
  if ((first.calledAt ?? first.at - SLACK) > seen.at) return []
  if (!isFresh(first) || !fits(first, 'before', seen.before, knowing)) return []
  const end = links.findIndex((link) => !isFresh(link))
  const fresh = end === -1 ? links : links.slice(0, end)
  const count = fresh.findLastIndex((link) => fits(link, 'after', seen.after, knowing)) + 1
  return settleGuesses(fresh.slice(0, count), seen, knowing)
}

function isFresh(link: CombinedLink): boolean {
  return link.isKnown !== true && isRecorded(link)
}

/** A file's birth proves nothing about the writes before it if the file was there already. */
function bornFrom(before: Value, { bornAt, ...sighting }: Sighting): Sighting {
  return before.kind === 'absent' && bornAt !== undefined ? { ...sighting, bornAt } : sighting
}

/** A change outside all turns gets the file's own time: the scan may come a whole turn later. */
function happenedAt({ kind }: Author, { changedAt, at }: Sighting, from: number): number {
  if (kind !== 'outside' || changedAt === null) return at
  return Math.floor(Math.min(Math.max(changedAt, from), at))
}

/**
 * How many of the recorded edits, in order, the scan saw. For edits recorded during the scan or
 * just after it, only the content shows that: they count if one of them left what the scan saw.
 */
function countInside(
  recorded: readonly CombinedLink[],
  { began, at, after }: Sighting,
  knowing: Knowing,
): number {
  const certain = recorded.findLastIndex((link) => link.at <= began) + 1
  const isNear = (link: CombinedLink): boolean => (link.calledAt ?? link.at - SLACK) <= at
  const near = recorded.findLastIndex(isNear) + 1
  for (let count = near; count > certain; count--)
    if (fits(recorded[count - 1]!, 'after', after, knowing)) return count
  // The scan read the file before the edit was made.
  for (let count = certain; count < near; count++)
    if (fits(recorded[count]!, 'before', after, knowing)) return count
  const last = recorded[certain - 1]
  if (last !== undefined && fits(last, 'after', after, knowing)) return certain
  // Nothing fits: most likely the scan saw every edit that was recorded by its end.
  return recorded.findLastIndex((link) => link.at <= at) + 1
}

/** Whether one side of a recorded edit, as far as it was recorded, may be what a scan saw. */
function fits(
  { guess, ...link }: CombinedLink,
  side: 'before' | 'after',
  seen: Value,
  { isSameText }: Pick<Knowing, 'isSameText'>,
): boolean {
  const value = link[side]
  if (guess === undefined || value.kind !== 'file' || seen.kind !== 'file')
    return sameValue(value, seen)
  if (value.content === seen.content) return true
  return guess[side] === 'bytes-and-mode' && isSameText(value.content, seen.content)
}

/**
 * The recorded edits that a scan saw, with the bytes and modes that it saw (sem.A10). An edit keeps
 * the file's mode: a chmod in between is a separate change (sem.M8).
 */
function settleGuesses(
  links: readonly CombinedLink[],
  { before, after }: Pick<Sighting, 'before' | 'after'>,
  knowing: Knowing,
): CombinedLink[] {
  let now = before
  return links.map((link, index) => {
    if (link.guess === undefined) {
      now = link.after
      return link
    }
    const isLast = index === links.length - 1
    const from = fits(link, 'before', now, knowing) ? now : withMode(link.before, now)
    const seen = isLast && fits(link, 'after', after, knowing) ? after : link.after
    const to = withMode(seen, from.kind === 'absent' ? after : from)
    now = to
    return { ...link, before: from, after: to }
  })
}

function withMode(value: Value, like: Value): Value {
  return value.kind === 'file' && like.kind === 'file' ? { ...value, mode: like.mode } : value
}

function gap(
  { path, at: seenAt }: Sighting,
  before: Value,
  after: Value,
  { evidence, sharedWith, ...author }: Author,
  at: number,
): CombinedLink {
  const plain = { path, from: null, before, after, author, evidence, gitHead: null, at }
  return { ...plain, madeDirectories: [], seenAt, ...(sharedWith === undefined ? {} : { sharedWith }) } // prettier-ignore
}

function gitAuthor({ evidence }: GitChange): Author {
  return { kind: 'git', id: null, evidence }
}
