import type { TurnId } from '#timeline'
import { conversationAt, isSameConversation } from '../chain/index.ts'
import type { PlannedStep } from '#store'
import { appendStep } from '../../file-steps.ts'
import type { MoveFacts, MovePlan } from '../../open-session.ts'
import { NAME } from '../steps/index.ts'
import { boundaryLine, emptyingLine, pointerLines } from './move-lines.ts'
import { intoLine, readLine } from '../rows/index.ts'
import { findResume } from '../chain/index.ts'
import type { Row } from '../rows/index.ts'
import type { ClaudeSession } from '../session/index.ts'
import type { TurnRows } from '../chain/index.ts'

/**
 * Keeps everything up to and including `turn`; `next` is the following turn on the line. If the
 * file has a boundary, each kind of line is first simulated on the rows: only lines after which the
 * agent would send exactly that conversation are written.
 */
export function planMove(
  session: ClaudeSession,
  { turn, next }: { turn: TurnId; next: TurnId | null },
  facts: MoveFacts,
): MovePlan {
  return toStep(session, linesAfter(session, { turn, next }, facts))
}

/** The lines to append for that move. */
export function linesAfter(
  session: ClaudeSession,
  { turn, next }: { turn: TurnId; next: TurnId | null },
  facts: MoveFacts,
): Lines {
  return linesTo(session, findLastKept(session, turn, next), facts)
}

type Lines = { readonly kind: 'lines'; readonly bytes: Buffer } | NotMovable
type NotMovable = Extract<MovePlan, { kind: 'not-movable' }>

function toStep(session: ClaudeSession, lines: Lines): MovePlan {
  if (lines.kind === 'not-movable') return lines
  return { kind: 'step', step: appendTo(session, lines.bytes) }
}

/** Keeps everything up to the prompt of a turn, without its answer. */
export function planMoveToPrompt(session: ClaudeSession, turn: TurnId, facts: MoveFacts): MovePlan {
  const entry = session.conversation.turns.find((each) => each.turn.id === turn)
  const prompt = entry?.rows[0]
  const hasRow = prompt !== undefined && prompt.prompt !== null && isKnownToAgent(prompt)
  return toStep(session, linesTo(session, hasRow ? prompt.uuid : null, facts))
}

function linesTo(session: ClaudeSession, target: string | null, facts: MoveFacts): Lines {
  const { rows } = session.transcript
  // Without boundaries, the agent obeys an explicit pointer exactly (CC2).
  if (target !== null && rows.every(({ boundary }) => boundary === null))
    return { kind: 'lines', bytes: Buffer.from(pointerLines(session, target, facts)) }
  const wanted = target === null ? null : conversationAt(rows, target)
  if (wanted === null || wanted.rows.length === 0) return { kind: 'not-movable', why: 'no-row' }
  const ways = [
    () => pointerLines(session, wanted.end.uuid, facts),
    ...(isWhole(rows, wanted.rows) ? [() => boundaryLine(session, wanted.rows, facts)] : []),
  ]
  for (const way of ways) {
    const bytes = Buffer.from(way())
    if (isSameConversation(chainAfter(session, bytes), wanted.rows)) return { kind: 'lines', bytes }
  }
  return { kind: 'not-movable', why: 'behind-compaction' }
}

/**
 * Whether the conversation is complete in the file, and every row has an id that the agent knows.
 */
function isWhole(rows: readonly Row[], [first, ...others]: readonly Row[]): boolean {
  const begins =
    first!.parent === null ||
    rows.some(({ uuid, boundary }) => boundary !== null && uuid === first!.parent)
  return begins && [first!, ...others].every(isKnownToAgent)
}

/** Empties the conversation. Only versions from 2.1.197 on support it. */
export function emptyConversation(session: ClaudeSession): PlannedStep {
  return appendTo(session, Buffer.from(emptyingLine(session)))
}

/**
 * The row that the next turn's prompt hangs on; at the end of a line, the last row not added by
 * Retake.
 */
export function findLastKept(
  { conversation }: ClaudeSession,
  turn: TurnId,
  next: TurnId | null,
): string | null {
  const find = (id: TurnId | null): TurnRows | undefined =>
    conversation.turns.find((entry) => entry.turn.id === id)
  const known = find(turn)?.rows.filter(isKnownToAgent) ?? []
  const parent = find(next)?.rows[0]?.parent ?? null
  if (parent !== null && known.some(({ uuid }) => uuid === parent)) return parent
  const last = known.findLast((row) => row.subtype !== 'informational' && row.boundary === null)
  return last?.uuid ?? null
}

/** The agent cannot resume at a row on a damaged line, or at one without a uuid. */
function isKnownToAgent({ skipped, uuid }: Row): boolean {
  return !skipped && !uuid.startsWith('@')
}

/** The chain that the agent would send if these lines were at the end of the file. */
function chainAfter({ transcript }: ClaudeSession, bytes: Buffer): readonly Row[] {
  const into = intoLine()
  const { size } = transcript.identity
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(10, from)
    readLine(bytes, from, end, size + from, into)
    from = end + 1
  }
  const { rows, pointers } = into.line
  return findResume([...transcript.rows, ...rows], [...transcript.pointers, ...pointers]).chain
}

/** Writes nothing if the file changed since the step was planned. */
export function appendTo({ transcript }: ClaudeSession, bytes: Buffer): PlannedStep {
  const { path, identity } = transcript
  return appendStep(NAME, { path, inode: identity.inode, size: identity.size, bytes })
}
