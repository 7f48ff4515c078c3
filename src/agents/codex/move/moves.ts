import type { PlannedStep } from '#store'
import type { TurnId } from '#timeline'
import type { MoveFacts, MovePlan, SessionMoves } from '../../open-session.ts'
import { isCompressed } from '../rows/index.ts'
import { stateDatabase, type CodexSession } from '../session/index.ts'
import { planBranch, planUnbranch, wasContinued } from './branch-session.ts'
import { cutAfter, cutAfterPrompt, type Cut } from './cut.ts'
import { firstLine } from './first-line.ts'
import { newRolloutPath, timedId } from './new-path.ts'
import { rolloutStep } from './rollout-step.ts'
import { planTitle } from './title-step.ts'

export function movesOf(session: CodexSession): SessionMoves {
  return {
    notInPlace: whyNotInPlace(session),
    planMove: ({ turn, next }, facts) => planMove(session, turn, next, facts),
    planMoveToPrompt: (turn, facts) => toCut(session, cutAfterPrompt(session, turn), facts),
    planEmpty: () => planEmpty(session),
    planBranch: (wish) => planBranch(session, wish),
    planUnbranch: (tag) => planUnbranch(session, tag),
    wasContinued: () => wasContinued(session),
    planTitle: (title) => planTitle(session, title),
  }
}

function whyNotInPlace({ file, current, conversation }: CodexSession): string | null {
  const rollouts = [current, ...conversation.turns.map(({ rollout }) => rollout)]
  if (rollouts.some(({ path }) => isCompressed(path))) return 'Codex has compressed this session'
  if (file.isArchived) return 'Codex has this session in its archive'
  if (current.outline.meta?.isPaginated === true) return null
  return 'Codex wrote this session in its older format, which no other rollout can continue'
}

const NO_ROW: MovePlan = { kind: 'not-movable', why: 'no-row' }

function planMove(
  session: CodexSession,
  turn: TurnId,
  next: TurnId | null,
  facts: MoveFacts,
): MovePlan {
  const older = next === null ? olderRollout(session, turn) : null
  if (older !== null) return { kind: 'step', step: stepTo(session, older, null) }
  return toCut(session, cutAfter(session, turn, next), facts)
}

/** An older rollout of the thread that ends with this turn: nothing new is needed to go there. */
function olderRollout({ entryOf, file, shelf }: CodexSession, turn: TurnId): string | null {
  const { path, outline } = entryOf(turn).rollout
  const isEnd = outline.turns.at(-1)?.id === turn && outline.turns[outline.head]?.id === turn
  // Only the index can name an older rollout; without it the newest one counts.
  const isOwn = shelf.index.has(file.id) && file.others.some((other) => other.path === path)
  return isEnd && isOwn ? path : null
}

function planEmpty(session: CodexSession): PlannedStep | null {
  const plan = toCut(session, null, { uuid: crypto.randomUUID(), at: new Date(), says: '' }, true)
  return plan.kind === 'step' ? plan.step : null
}

function toCut(
  session: CodexSession,
  cut: Cut | null,
  facts: MoveFacts,
  empties = false,
): MovePlan {
  const { file, shelf, current } = session
  if (current.outline.meta?.isPaginated !== true || (cut === null && !empties)) return NO_ROW
  const bytes = firstLine(session, { cut, at: facts.at })
  if (bytes === null) return NO_ROW
  const ids = { thread: file.id, rollout: timedId(facts.uuid, facts.at) }
  const to = newRolloutPath(shelf.home, ids, facts.at)
  return { kind: 'step', step: stepTo(session, to, bytes) }
}

function stepTo(session: CodexSession, to: string, bytes: Buffer | null): PlannedStep {
  const { file, shelf } = session
  const { inode, size } = file.identity
  return rolloutStep(
    {
      home: shelf.home,
      thread: file.id,
      from: { path: file.path, inode: String(inode), size },
      to,
      index: shelf.index.has(file.id) ? stateDatabase(shelf.home) : null,
    },
    bytes,
  )
}
