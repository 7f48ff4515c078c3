import type { MoveFacts } from '../../open-session.ts'
import type { Row } from '../rows/index.ts'
import type { ClaudeSession } from '../session/index.ts'
import { goesByPointers } from './versions.ts'

/**
 * Two lines: a row of ours that hangs on the last row to keep and says nothing to the model, and
 * an explicit pointer to it. Pointing at the kept row itself would be voided by the next row that
 * descends from it along the old branch. For old versions the row alone, which is the newest.
 */
export function pointerLines(session: ClaudeSession, target: string, facts: MoveFacts): string {
  const marker = {
    parentUuid: target,
    isSidechain: false,
    type: 'system',
    subtype: 'informational',
    content: facts.says,
    isMeta: false,
    level: 'info',
    ...commonFields(session, facts),
  }
  if (!goesByPointers(session)) return `${JSON.stringify(marker)}\n`
  const { uuid } = facts
  const pointer = {
    type: 'last-prompt',
    leafUuid: uuid,
    explicit: true,
    sessionId: session.file.id,
  }
  return `${JSON.stringify(marker)}\n${JSON.stringify(pointer)}\n`
}

/**
 * One line: a boundary that replaces nothing and keeps the rows of a conversation, in their order.
 * The agent obeys no pointer to what the newest boundary took away, but it obeys a newer boundary.
 */
export function boundaryLine(
  session: ClaudeSession,
  kept: readonly Row[],
  facts: MoveFacts,
): string {
  const { uuid: anchorUuid } = facts
  const uuids = kept.map(({ uuid }) => uuid)
  const [headUuid, tailUuid] = [uuids[0]!, uuids.at(-1)!]
  const boundary = {
    parentUuid: null,
    logicalParentUuid: tailUuid,
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    content: facts.says,
    isMeta: false,
    level: 'info',
    compactMetadata: {
      trigger: 'manual',
      preTokens: 0,
      preservedSegment: { headUuid, anchorUuid, tailUuid },
      preservedMessages: { anchorUuid, uuids, allUuids: uuids },
    },
    ...commonFields(session, facts),
  }
  return `${JSON.stringify(boundary)}\n`
}

/** The next row empties the conversation. */
export function emptyingLine(session: ClaudeSession): string {
  const pointer = {
    type: 'last-prompt',
    leafUuid: null,
    explicit: true,
    sessionId: session.file.id,
  }
  return `${JSON.stringify(pointer)}\n`
}

function commonFields(session: ClaudeSession, { uuid, at }: MoveFacts): object {
  const prompt = session.transcript.rows.findLast((row) => row.prompt !== null)?.prompt ?? null
  return {
    timestamp: at.toISOString(),
    uuid,
    userType: 'external',
    cwd: prompt?.cwd ?? session.summary.project ?? '/',
    sessionId: session.file.id,
    version: prompt?.version ?? '2.0.0',
    gitBranch: prompt?.gitBranch ?? '',
  }
}
