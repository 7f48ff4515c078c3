import type { Sighting } from '#store'
import { sameValue, type ContentId, type Value } from '#timeline'
import { authorAt, authorBetween, TICK, type Author, type Witnesses } from './authors.ts'
import { speakingAgainst, type EditorSigns } from './speaks-against.ts'
import type { WovenLink } from './woven-link.ts'
import { explainer, hooksAfter, hooksBeside, hooksBetween, SLACK } from './explain-writes.ts'

/** A change that git made to a path when it moved its HEAD. */
export interface GitChange {
  readonly before: Value
  readonly after: Value
  readonly at: number
  readonly evidence: string
}

/**
 * Joins what the agent recorded with what was seen in the files into one chain per path. Where
 * the two leave a gap, somebody else wrote: whose it is follows from when it happened (sem.A2).
 * Never "between the turn's start and end": the user types meanwhile.
 */
export function weaveLinks(
  recorded: readonly WovenLink[],
  sightings: readonly Sighting[],
  witnesses: Witnesses,
  {
    gitChanges = () => [],
    isSameText = () => false,
    isInEditor = () => false,
    isEditorSave = () => false,
    isElsewhere = () => false,
  }: Partial<Pick<Knowing, 'gitChanges' | 'isSameText'> & EditorSigns> = {},
): WovenLink[] {
  const files = sightings.filter(({ directory }) => directory === undefined)
  const seen = Map.groupBy(files, ({ path }) => path)
  const told = Map.groupBy(recorded, ({ path }) => path)
  const paths = new Set([...told.keys(), ...seen.keys()])
  const isExplained = explainer(recorded, files)
  const weigh = speakingAgainst(witnesses.steps, files, { isInEditor, isEditorSave, isElsewhere })
  const ofHooks = hooksBeside(recorded, files)
  /** The author by time: what no step did, the hooks of an edit may have done. */
  const authorOf = (sighting: Sighting, from?: number): Author => {
    const when = { isExplained: isExplained(sighting), ...(from === undefined ? {} : { from }) }
    const author = authorAt(witnesses, sighting, when)
    return weigh(author.kind === 'outside' ? (ofHooks(sighting) ?? author) : author, sighting)
  }
  const ofFiles = [...paths].flatMap((path) =>
    inOrder(
      weavePath(
        (told.get(path) ?? []).toSorted((a, b) => a.at - b.at),
        seen.get(path) ?? [],
        { witnesses, gitChanges, isSameText, authorOf },
      ),
    ),
  )
  const ofDirectories = sightings.flatMap((sighting): WovenLink[] => {
    const { directory, before, after } = sighting
    if (directory === undefined) return []
    const author = madeByEdit(recorded, sighting) ?? authorOf(sighting)
    return [{ ...gap(sighting, before, after, author, sighting.at), directory }]
  })
  // A file that is edited and then moved has links at two paths, and they belong in this order.
  return [...ofFiles, ...inOrder(ofDirectories)]
    .toSorted((a, b) => a.place - b.place)
    .map(({ link }) => link)
    .filter((link) => link.isKnown !== true)
}

/** The agent's editing tools make the directories that a new file needs, and record only the file. */
function madeByEdit(
  recorded: readonly WovenLink[],
  { path, directory, changedAt }: Sighting,
): Author | null {
  if (directory?.change !== 'made' || changedAt === null) return null
  const later = (link: WovenLink): number => Math.abs(link.at - changedAt)
  const edit = recorded
    .filter(
      (link) =>
        link.isKnown !== true &&
        link.before.kind === 'absent' &&
        link.path.startsWith(`${path}/`) &&
        // A command right before or after the edit may have made it.
        changedAt >= (link.calledAt ?? link.at - SLACK) - TICK &&
        changedAt <= link.at + (link.calledAt === undefined ? SLACK : TICK),
    )
    .toSorted((a, b) => later(a) - later(b))[0]
  return edit === undefined ? null : { ...edit.author, evidence: edit.evidence }
}

/** The links of a path are a chain: none comes before the one that it goes on from. */
function inOrder(links: readonly WovenLink[]): { link: WovenLink; place: number }[] {
  let place = Number.NEGATIVE_INFINITY
  return links.map((link) => ({ link, place: (place = Math.max(place, link.at)) }))
}

interface Knowing {
  readonly witnesses: Witnesses
  readonly gitChanges: (sighting: Sighting) => readonly GitChange[]
  /** Whether two contents are one text in other bytes: line ends, encoding, byte order mark. */
  readonly isSameText: (recorded: ContentId, seen: ContentId) => boolean
  readonly authorOf: (sighting: Sighting, from: number) => Author
}

function weavePath(
  recorded: readonly WovenLink[],
  sightings: readonly Sighting[],
  knowing: Knowing,
): WovenLink[] {
  const { witnesses, gitChanges, authorOf } = knowing
  const woven: WovenLink[] = []
  let rest = recorded
  let edit: WovenLink | undefined
  for (const sighting of sightings) {
    woven.push(...rest.filter(({ at }) => at <= sighting.since))
    edit = rest.findLast(({ at }) => at <= sighting.since) ?? edit
    rest = rest.filter(({ at }) => at > sighting.since)
    const count = countInside(rest, sighting, knowing)
    const inside = settleGuesses(rest.slice(0, count), sighting, knowing)
    rest = rest.slice(count)
    let now = sighting.before
    let from = sighting.since
    const fill = (to: Value, at: number, author?: Author): void => {
      const by = author ?? authorBetween(witnesses, sighting.path, { from, to: at })
      if (!sameValue(now, to)) woven.push(gap(sighting, now, to, by, at))
      now = to
    }
    const git = inside.length === 0 ? gitChanges(sighting) : []
    for (const change of git) {
      if (!sameValue(now, change.before)) {
        if (!sameValue(change.after, sighting.after)) continue
        // `git reset --hard` drops an edit that was not committed: whoever ran it dropped it.
        const author = authorAt(witnesses, sighting, { from })
        woven.push(gap(sighting, now, change.before, author, change.at))
        now = change.before
      }
      woven.push(gap(sighting, now, change.after, gitAuthor(change), change.at))
      now = change.after
      from = change.at
    }
    for (const link of inside) {
      if (link.before.kind !== 'unknown')
        fill(link.before, link.calledAt ?? link.at, hooksBetween(edit, link))
      // What was not recorded whole is known now.
      woven.push(link.before.kind === 'unknown' ? { ...link, before: now } : link)
      now = link.after
      from = link.at
      edit = link
    }
    // Both sides unknown is no reason not to say that it was changed.
    if (sameValue(now, sighting.after)) continue
    if (now.kind === 'unknown' && inside.length > 0)
      woven.push({ ...woven.pop()!, after: sighting.after })
    else {
      const author = hooksAfter(edit, sighting) ?? authorOf(sighting, from)
      woven.push(gap(sighting, now, sighting.after, author, happenedAt(author, sighting, from)))
    }
  }
  return [...woven, ...rest]
}

/** What nobody's turn did has the time of the file: the look that saw it may come a turn later. */
function happenedAt({ kind }: Author, { changedAt, at }: Sighting, from: number): number {
  if (kind !== 'outside' || changedAt === null) return at
  return Math.floor(Math.min(Math.max(changedAt, from), at))
}

/**
 * How many of the recorded edits, in order, the look has seen. Of those that were written down
 * while it looked, or just after, only the file tells: they count when one of them left what was
 * seen there.
 */
function countInside(
  recorded: readonly WovenLink[],
  { began, at, after }: Sighting,
  knowing: Knowing,
): number {
  const certain = recorded.findLastIndex((link) => link.at <= began) + 1
  const isNear = (link: WovenLink): boolean => (link.calledAt ?? link.at - SLACK) <= at
  const near = recorded.findLastIndex(isNear) + 1
  for (let count = near; count > certain; count--)
    if (fits(recorded[count - 1]!, 'after', after, knowing)) return count
  // It looked before the edit came.
  for (let count = certain; count < near; count++)
    if (fits(recorded[count]!, 'before', after, knowing)) return count
  const last = recorded[certain - 1]
  if (last !== undefined && fits(last, 'after', after, knowing)) return certain
  // Nothing fits: what was written down by the end of the look was most likely seen by it.
  return recorded.findLastIndex((link) => link.at <= at) + 1
}

/** Whether a side of a recorded edit may have been what a look saw, as far as it was recorded. */
function fits(
  { guess, ...link }: WovenLink,
  side: 'before' | 'after',
  seen: Value,
  { isSameText }: Pick<Knowing, 'isSameText'>,
): boolean {
  const told = link[side]
  if (guess === undefined || told.kind !== 'file' || seen.kind !== 'file')
    return sameValue(told, seen)
  if (told.content === seen.content) return true
  return guess[side] === 'bytes-and-mode' && isSameText(told.content, seen.content)
}

/**
 * The recorded edits that a look has seen, with bytes and modes as they were looked at (sem.A10).
 * An edit keeps the mode of the file: a chmod in between is a change of its own (sem.M8).
 */
function settleGuesses(
  links: readonly WovenLink[],
  { before, after }: Sighting,
  knowing: Knowing,
): WovenLink[] {
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
): WovenLink {
  const plain = { path, from: null, before, after, author, evidence, gitHead: null, at }
  return { ...plain, madeDirectories: [], seenAt, ...(sharedWith === undefined ? {} : { sharedWith }) } // prettier-ignore
}

function gitAuthor({ evidence }: GitChange): Author {
  return { kind: 'git', id: null, evidence }
}
