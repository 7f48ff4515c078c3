import { claudeCode, type ConversationMove } from '#agents'
import { Failure } from '#failure'
import { pathTo, type Place, type Plan } from '#timeline'
import type { SessionsPlan } from './branch-session.ts'
import type { Machine } from './machine.ts'
import type { ReadSession } from './read-session.ts'
import type { AskedHow } from './request.ts'

export type ConversationPlan =
  | { readonly kind: 'move' | 'empty'; readonly move: ConversationMove }
  | SessionsPlan
  | { readonly kind: 'none' }

/** Whether the session itself goes on elsewhere. */
export function movesHead({ kind }: ConversationPlan): boolean {
  return kind === 'move' || kind === 'empty'
}

/** Files may not move under an agent that is at work (sem.C8). */
export function checkNotBusy(machine: Machine, { report }: ReadSession): void {
  const live = liveProcess(machine, report.id)
  if (live?.status !== 'busy') return
  throw new Failure('session-busy', `The agent is at work in this session (process ${live.pid}).`, {
    hint: 'Wait until it is done, or stop it, then try again.',
  })
}

export function liveProcess(machine: Machine, session: string) {
  return claudeCode
    .findLiveProcesses(machine.places.claudeConfig)
    .find((process) => process.session === session)
}

/** A running agent does not read its transcript again. */
export function refuseLive(machine: Machine, { report }: ReadSession): void {
  const live = liveProcess(machine, report.id)
  if (live === undefined) return
  throw new Failure(
    'session-live',
    `The session is open in a running agent (process ${live.pid}), which would not notice.`,
    { hint: 'Leave it with /exit and try again, or move the files alone with `--only files`.' },
  )
}

/** How the conversation follows the plan: lines to append, or nothing (sem.C2). */
export function planConversation(
  machine: Machine,
  session: ReadSession,
  plan: Plan,
  how: AskedHow,
): ConversationPlan {
  if (how.only === 'files') return { kind: 'none' }
  // An undone operation may have begun with an empty conversation.
  const empties = plan.to.turn === null || (plan.to.beforeFirst && how.whole)
  if (empties && session.tree.head === null) return { kind: 'none' }
  if (plan.to.turn === session.tree.head && !empties) return { kind: 'none' }
  refuseLive(machine, session)
  if (empties) return empty(session)
  return moveTo(machine, session, plan.to)
}

function moveTo(
  machine: Machine,
  session: ReadSession,
  { turn, tip }: Pick<Place, 'turn' | 'tip'>,
): ConversationPlan {
  const { tree, open } = session
  const line = pathTo(tree.turns, tip)
  const place = line.indexOf(turn!)
  const next = place < 0 ? null : (line[place + 1] ?? null)
  const planned = claudeCode.planMove(
    open,
    { turn: turn!, next },
    {
      uuid: machine.newId(),
      at: machine.now(),
      says: `Retake: the conversation continues after turn ${place < 0 ? turn : place + 1}.`,
    },
  )
  if (planned.kind === 'move') return planned
  throw new Failure(planned.why, WHY[planned.why], {
    hint: 'The files can be moved alone with `--only files`.',
  })
}

function empty({ open }: ReadSession): ConversationPlan {
  if (claudeCode.canBeEmptied(open))
    return { kind: 'empty', move: claudeCode.emptyConversation(open) }
  const version = claudeCode.versionOf(open) ?? 'that wrote this session'
  throw new Failure('cannot-be-emptied', `Claude Code ${version} would not see it emptied.`, {
    hint: 'Leave out `--whole`: the first turn stays in the conversation.',
  })
}

/** That nobody has tried this is said before it is done. */
export function wordsForVersion({ open }: ReadSession, conversation: ConversationPlan): string[] {
  const version = claudeCode.versionOf(open)
  if (!movesHead(conversation) || claudeCode.isMeasured(version)) return []
  const [first, last] = [claudeCode.measuredVersions[0], claudeCode.measuredVersions.at(-1)]
  return [
    `Retake was tried with Claude Code ${first} to ${last}, and this session is of ` +
      `${version ?? 'an unknown version'}: look whether it resumes where you expect; ` +
      '`retake branch TURN` depends less on the version',
  ]
}

const WHY = {
  'behind-compaction':
    'The conversation was compacted after that turn, and what came before is not whole any more.',
  'no-row': 'The end of that turn is not in the transcript.',
} as const
