import type { NewLink, ShellStep, Sighting } from '#store'
import { sameValue, type ProjectPath, type TurnId, type Value } from '#timeline'

export interface WovenLink extends NewLink {
  readonly madeDirectories: readonly ProjectPath[]
  /** In the ledger already: it explains, and is not added again. */
  readonly isKnown?: true
}

/**
 * Joins what the agent recorded with what was seen in the files into one chain per path. Where
 * the two leave a gap, somebody else wrote: whose it is follows from when it happened (sem.A2).
 * Never "between the turn's start and end": the user types meanwhile.
 */
export function weaveLinks(
  recorded: readonly WovenLink[],
  sightings: readonly Sighting[],
  steps: readonly ShellStep[],
): WovenLink[] {
  const seen = Map.groupBy(sightings, ({ path }) => path)
  const told = Map.groupBy(recorded, ({ path }) => path)
  const paths = new Set([...told.keys(), ...seen.keys()])
  return (
    [...paths]
      .flatMap((path) =>
        weavePath(
          (told.get(path) ?? []).toSorted((a, b) => a.at - b.at),
          seen.get(path) ?? [],
          steps,
        ),
      )
      .filter((link) => link.isKnown !== true)
      // The ledger tells by its numbers what came first, of all paths together.
      .toSorted((a, b) => a.at - b.at)
  )
}

function weavePath(
  recorded: readonly WovenLink[],
  sightings: readonly Sighting[],
  steps: readonly ShellStep[],
): WovenLink[] {
  const woven: WovenLink[] = []
  let rest = recorded
  for (const sighting of sightings) {
    const inside = rest.filter(({ at }) => at > sighting.since && at <= sighting.at)
    woven.push(...rest.filter(({ at }) => at <= sighting.since))
    rest = rest.filter(({ at }) => at > sighting.at)
    let now = sighting.before
    let from = sighting.since
    for (const link of inside) {
      const author = authorBetween(steps, from, link.at)
      if (!sameValue(now, link.before) && link.before.kind !== 'unknown')
        woven.push(gap(sighting, now, link.before, author, link.at))
      // What was not recorded whole is known now.
      woven.push(link.before.kind === 'unknown' ? { ...link, before: now } : link)
      now = link.after
      from = link.at
    }
    if (sameValue(now, sighting.after)) continue
    if (now.kind === 'unknown') woven.push({ ...woven.pop()!, after: sighting.after })
    else woven.push(gap(sighting, now, sighting.after, authorAt(steps, sighting), sighting.at))
  }
  return [...woven, ...rest]
}

type Author = NewLink['author'] & { evidence: string }

function gap(
  { path, madeDirectories }: Sighting,
  before: Value,
  after: Value,
  { evidence, ...author }: Author,
  at: number,
): WovenLink {
  return { path, from: null, before, after, author, evidence, gitHead: null, at, madeDirectories }
}

/** Stamps and files are timed by one clock, which ticks every few milliseconds. */
const TICK = 12

/** By the time the file itself, or the directory it went from, was last changed. */
function authorAt(steps: readonly ShellStep[], sighting: Sighting): Author {
  const { changedAt, since, at, after } = sighting
  if (changedAt === null) return authorBetween(steps, since, at)
  const running = steps.filter(
    ({ began, ended }) => changedAt >= began - TICK && changedAt <= ended + TICK,
  )
  const turns = new Set(running.map(({ turn }) => turn))
  if (turns.size === 1) return shellAuthor(running.at(-1)!)
  if (turns.size > 1)
    return { kind: 'shared', id: running.at(-1)!.turn, evidence: 'steps of several turns ran' }
  // A directory's time tells only of the last change in it: another may have come after.
  if (after.kind === 'absent') return doubtful(authorBetween(steps, since, at))
  return { kind: 'outside', id: null, evidence: 'no step was running' }
}

/** By what ran at all in the time between: exact only if nothing did. */
function authorBetween(steps: readonly ShellStep[], from: number, to: number): Author {
  const running = steps.filter(({ began, ended }) => ended + TICK >= from && began - TICK <= to)
  const turns = new Set(running.map(({ turn }) => turn))
  if (turns.size === 0) return { kind: 'outside', id: null, evidence: 'no step was running' }
  if (turns.size === 1) return shellAuthor(running.at(-1)!)
  return { kind: 'unsure', id: running.at(-1)!.turn, evidence: 'steps of several turns ran' }
}

function doubtful(author: Author): Author {
  return author.kind === 'turn' ? { ...author, kind: 'unsure' } : author
}

function shellAuthor({ tool, turn }: { tool: string; turn: TurnId }): Author {
  return { kind: 'turn', id: turn, evidence: `shell ${tool}` }
}
