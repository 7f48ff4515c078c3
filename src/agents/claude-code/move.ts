import type { TurnId } from '#timeline'
import type { Row } from './row.ts'
import type { OpenSession } from './session.ts'
import type { TurnRows } from './turns.ts'

/**
 * Moving the head of a session: two lines behind the agent's own. The first is a row of ours that
 * hangs on the last row to keep and says nothing to the model; the second is an explicit pointer
 * to it. Pointing at the kept row itself would be voided by the next row that descends from it
 * along the old branch, and old versions would not follow.
 */
export interface ConversationMove {
  readonly path: string
  /** What the file was when the move was planned; if it is not that any more, nothing is written. */
  readonly inode: bigint
  readonly size: number
  readonly bytes: Buffer
}

export type MovePlan =
  | { readonly kind: 'move'; readonly move: ConversationMove }
  /** The session stands there already. */
  | { readonly kind: 'none' }
  | { readonly kind: 'not-movable'; readonly why: 'behind-compaction' | 'no-row' }

export interface MoveFacts {
  readonly uuid: string
  readonly at: Date
  /** What the marker row says, for people who look into the file. */
  readonly says: string
}

/** To keep everything up to and including `turn`, whose next turn on the line is `next`. */
export function planMove(
  session: OpenSession,
  { turn, next }: { turn: TurnId; next: TurnId | null },
  facts: MoveFacts,
): MovePlan {
  const { conversation, transcript } = session
  const turns = new Map(conversation.turns.map((entry) => [entry.turn.id, entry]))
  const entry = turns.get(turn)
  if (entry === undefined) return { kind: 'not-movable', why: 'no-row' }
  const target = lastKept(entry, next === null ? null : (turns.get(next) ?? null))
  if (target === null) return { kind: 'not-movable', why: 'no-row' }
  if (isBehindBoundary(session, entry)) return { kind: 'not-movable', why: 'behind-compaction' }
  const { identity } = transcript
  return {
    kind: 'move',
    move: {
      path: transcript.path,
      inode: identity.inode,
      size: identity.size,
      bytes: Buffer.from(moveLines(session, target, facts)),
    },
  }
}

/** Where the next turn's prompt hangs; at the end of a line, its last row that is not ours. */
function lastKept(entry: TurnRows, next: TurnRows | null): string | null {
  const known = entry.rows.filter(isKnownToAgent)
  const own = new Set(known.map(({ uuid }) => uuid))
  const parent = next?.rows[0]?.parent ?? null
  if (parent !== null && own.has(parent)) return parent
  const last = known.findLast((row) => row.subtype !== 'informational')
  return last?.uuid ?? null
}

/** A row on a damaged line, or one without a name, would lead the agent nowhere. */
function isKnownToAgent({ skipped, uuid }: Row): boolean {
  return !skipped && !uuid.startsWith('@')
}

/** Rows before the newest boundary are gone for the agent; a pointer to them is ignored. */
function isBehindBoundary({ transcript }: OpenSession, entry: TurnRows): boolean {
  const boundary = transcript.rows.findLast((row) => row.boundary !== null)
  return boundary !== undefined && entry.rows.every((row) => row.place < boundary.place)
}

function moveLines(session: OpenSession, target: string, { uuid, at, says }: MoveFacts): string {
  const sessionId = session.file.id
  const prompt = session.transcript.rows.findLast((row) => row.prompt !== null)?.prompt ?? null
  const marker = {
    parentUuid: target,
    isSidechain: false,
    type: 'system',
    subtype: 'informational',
    content: says,
    isMeta: false,
    level: 'info',
    timestamp: at.toISOString(),
    uuid,
    userType: 'external',
    cwd: prompt?.cwd ?? session.summary.project ?? '/',
    sessionId,
    version: prompt?.version ?? '2.0.0',
    gitBranch: prompt?.gitBranch ?? '',
  }
  const pointer = { type: 'last-prompt', leafUuid: uuid, explicit: true, sessionId }
  return `${JSON.stringify(marker)}\n${JSON.stringify(pointer)}\n`
}

/** Empties the conversation. Only versions from 2.1.197 on obey it. */
export function emptyConversation(session: OpenSession): ConversationMove {
  const { path, identity } = session.transcript
  const pointer = {
    type: 'last-prompt',
    leafUuid: null,
    explicit: true,
    sessionId: session.file.id,
  }
  return {
    path,
    inode: identity.inode,
    size: identity.size,
    bytes: Buffer.from(`${JSON.stringify(pointer)}\n`),
  }
}
