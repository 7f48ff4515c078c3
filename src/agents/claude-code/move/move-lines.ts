import type { MoveFacts } from '../../open-session.ts'
import type { Row } from '../rows/index.ts'
import type { ClaudeSession } from '../session/index.ts'
import { usesPointers } from './versions.ts'

/**
 * Two lines: a row that hangs on the last row to keep and is not sent to the model, and an explicit
 * pointer to it. A pointer to the kept row itself would be moved forward by the next row that
 * descends from it on the old branch. For old versions only the row, because there the newest row
 * counts.
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
  if (!usesPointers(session)) return `${JSON.stringify(marker)}\n`
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
 * One line: a boundary that replaces nothing and preserves the rows of a conversation, in order.
 * The agent ignores pointers to rows that the newest boundary removed, but obeys a newer boundary.
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

/** One line: a pointer to nothing, which empties the conversation. */
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
