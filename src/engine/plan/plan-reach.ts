import { command, Failure, remedy } from '#failure'
import { shortId, type Plan, type PlanReport, type TurnId } from '#timeline'
import { labelOf, placeOfTurn, type ResolvedCommand, type ReadSession } from '../session/index.ts'

/** How far a command reaches along the line, and what to say if that is too far. */

export function placeOn(tree: ReadSession['tree'], turn: TurnId | null): number {
  return turn === null ? -1 : (tree.places.get(turn) ?? -1)
}

export function reachesStart({ tree }: ReadSession, asked: ResolvedCommand): boolean {
  if (tree.head === null) return false
  if (asked.verb === 'undo') return asked.count > placeOn(tree, tree.head)
  if (asked.verb !== 'rewind') return false
  return asked.before === undefined ? asked.to === null : asked.before === tree.line[0]
}

export function withFirst({ tree }: ReadSession, plan: Plan): Plan {
  const first = tree.line[0]!
  const turns = plan.turns.includes(first) ? plan.turns : [...plan.turns, first]
  return { ...plan, turns, to: { ...plan.to, beforeFirst: true } }
}

/** A turn on another branch needs a switch; the hint gives the command. */
export function onOtherBranch({ tree }: ReadSession, asked: ResolvedCommand): Failure | null {
  if (asked.verb !== 'rewind' && asked.verb !== 'exact') return null
  const turn = 'before' in asked && asked.before !== undefined ? asked.before : asked.to
  if (turn === null || tree.places.has(turn)) return null
  const place = placeOfTurn(tree, turn)
  if (place === null) return null
  const label = labelOf(tree, place.branch)
  return new Failure(
    'turn-not-found',
    `Turn ${shortId(turn)} is not on the current branch. It is turn ${place.number} of ${label}.`,
    { hint: remedy`${command('switch', [label], { turn: String(place.number) })} to go there.` },
  )
}

/** `undo 99` in a session of three turns undoes all three: warn, as it may be a typo. */
export function warnOfFewer(
  { tree }: ReadSession,
  asked: ResolvedCommand,
  { turns }: Plan,
  only: 'files' | 'chat' | null,
): string[] {
  if (asked.verb !== 'undo' && asked.verb !== 'redo') return []
  if (asked.count === 'all' || turns.length >= asked.count) return []
  // The receipt counts the turns that move, without a first turn that stays (sem.C9).
  const firstStays = asked.verb === 'undo' && !turns.includes(tree.line[0]!)
  const found = turns.length + (firstStays ? 1 : 0)
  const there = found === 1 ? 'there is only 1' : `there are only ${found}`
  return [
    ...(found < asked.count ? [`you asked for ${asked.count} turns; ${there}`] : []),
    ...(firstStays ? [FIRST_STAYS[only ?? 'both']] : []),
  ]
}

const FIRST_STAYS = {
  both: 'turn 1 stays: it has no file changes to undo, and the conversation keeps its first prompt',
  files: 'turn 1 has no file changes to undo',
  chat: 'turn 1 stays: the conversation keeps its first prompt',
}

export function withWarnings(report: PlanReport, more: readonly string[]): PlanReport {
  return { ...report, warnings: [...more, ...report.warnings] }
}
