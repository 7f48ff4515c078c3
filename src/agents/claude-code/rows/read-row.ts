import { classifyUserRow, field, string, textOf } from './prompt.ts'
import type { Boundary, Row } from './row.ts'
import { NESTED } from './skim-value.ts'
import type { Skimmed } from './skimmed.ts'

const CHAIN: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
  'progress',
])

export function isChainType(type: string): type is Row['type'] {
  return CHAIN.has(type)
}

export function parsedRow(
  row: Record<string, unknown>,
  type: Row['type'],
  { place, length, skipped }: { place: number; length: number; skipped: boolean },
): Row {
  const attachment = type === 'attachment' ? string(field(row['attachment'], 'type')) : null
  const prompt = type === 'user' ? classifyUserRow(row) : null
  const { uuid } = row
  return {
    place,
    length,
    type,
    subtype: attachment ?? (type === 'system' ? string(row['subtype']) : null),
    uuid: typeof uuid === 'string' && uuid !== '' ? uuid : `@${place}`,
    parent: string(row['parentUuid']),
    // The agent treats an empty uuid as missing, and ignores rows without one.
    skipped: skipped || uuid === '',
    sidechain: Boolean(row['isSidechain']),
    at: string(row['timestamp']),
    messageId: string(field(row['message'], 'id')) || null,
    call: callOf(row),
    toolResult: type === 'user' && prompt === null,
    prompt,
    boundary: type === 'system' && row['subtype'] === 'compact_boundary' ? boundaryOf(row) : null,
    absorbed: attachment === 'queued_command' ? absorbedBy(row) : null,
  }
}

function callOf(row: Record<string, unknown>): string | null {
  const content = field(row['message'], 'content')
  const block: unknown = Array.isArray(content) ? content[0] : undefined
  const type = field(block, 'type')
  if (type === 'tool_use') return string(field(block, 'id'))
  return type === 'tool_result' ? string(field(block, 'tool_use_id')) : null
}

function boundaryOf(row: Record<string, unknown>): Boundary {
  const metadata = row['compactMetadata']
  const messages = field(metadata, 'preservedMessages')
  const uuids = field(messages, 'uuids')
  const anchor = string(field(messages, 'anchorUuid'))
  const segment = field(metadata, 'preservedSegment')
  const [of, head, tail] = ['anchorUuid', 'headUuid', 'tailUuid'].map((name) =>
    string(field(segment, name)),
  )
  return {
    logicalParent: string(row['logicalParentUuid']),
    trigger: string(field(metadata, 'trigger')),
    preserved:
      anchor !== null && Array.isArray(uuids)
        ? { anchor, uuids: uuids.filter((uuid) => typeof uuid === 'string') }
        : null,
    segment: of && head && tail ? { anchor: of, head, tail } : null,
  }
}

/** Only what a user typed: background agents report through the same queue. */
function absorbedBy(row: Record<string, unknown>): Row['absorbed'] {
  const attachment = row['attachment']
  if (field(field(attachment, 'origin'), 'kind') !== 'human') return null
  return { text: textOf(field(attachment, 'prompt')), at: string(row['timestamp']) }
}

/**
 * A skim sees only the front of a message. If the call or message id comes after its text, the row
 * must be parsed.
 */
export function skimSuffices({ fields, messageId, firstBlock, call }: Skimmed): boolean {
  if (fields.parentUuid === NESTED || fields.timestamp === NESTED) return false
  if (fields.type === 'assistant' && (messageId === null || firstBlock === null)) return false
  return call !== null || (firstBlock !== 'tool_use' && firstBlock !== 'tool_result')
}

/** Null if the skim is not enough: prompts and boundaries are parsed. */
export function chainRow(
  { fields, messageId, firstBlock, call, attachmentType }: Skimmed,
  at: { readonly place: number; readonly length: number },
): Row | null {
  const { type, uuid, parentUuid, timestamp } = fields
  if (typeof type !== 'string' || !isChainType(type)) return null
  if (typeof uuid !== 'string' || uuid === '' || type === 'system') return null
  if (type === 'attachment' && (attachmentType ?? 'queued_command') === 'queued_command')
    return null
  const toolResult = type === 'user' && firstBlock === 'tool_result'
  if (type === 'user' && !toolResult) return null
  return {
    place: at.place,
    length: at.length,
    type,
    subtype: attachmentType,
    uuid,
    parent: typeof parentUuid === 'string' ? parentUuid : null,
    skipped: false,
    sidechain: Boolean(fields.isSidechain),
    at: typeof timestamp === 'string' ? timestamp : null,
    messageId: messageId || null,
    call: firstBlock === 'tool_use' || toolResult ? call : null,
    toolResult,
    prompt: null,
    boundary: null,
    absorbed: null,
  }
}
