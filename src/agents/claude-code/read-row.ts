import { classifyUserRow, field, string, textOf } from './prompt.ts'
import type { Boundary, Damage, Pointer, Row } from './row.ts'
import { skim, type Skimmed } from './skim.ts'

/** What one line of the file turned out to be. */
export interface Line {
  readonly rows: Row[]
  readonly pointers: Pointer[]
  readonly checkpoints: { place: number; length: number }[]
  readonly titles: Title[]
  readonly damage: Damage[]
  /** Rows of kinds that mean nothing to Retake; they stay opaque. */
  readonly opaque: number
}

export interface Title {
  readonly kind: 'custom' | 'generated' | 'summary'
  readonly text: string
}

const CHAIN = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])
/** Below this a full parse is as quick as a skim and sees every kind of damage. */
const SMALL = 1024
/** A prompt with pictures is some megabytes; what is larger is not looked into. */
const LARGEST_PARSED = 32 * 1024 * 1024

export function readLine(bytes: Buffer, start: number, end: number, offset: number): Line {
  let from = start
  let to = end
  while (to > from && isBlank(bytes[to - 1]!)) to--
  while (from < to && isBlank(bytes[from]!)) from++
  const place = offset + (from - start)
  const line = emptyLine()
  if (from === to) return line
  if (bytes[from] === 0) return readAfterNuls(bytes, from, to, place, line)
  if (offset === 0 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf)
    return readLine(bytes, from + 3, to, place + 3)

  if (to - from >= SMALL) {
    const skimmed = skim(bytes, from, to)
    const row = skimmed && chainRow(skimmed, bytes, from, to, place)
    if (row) {
      line.rows.push(row)
      return line
    }
    // The largest rows of new versions are records of requests: seen by their type alone.
    if (typeof skimmed?.fields.type === 'string' && skimmed.fields.type.startsWith('api-request'))
      return { ...line, opaque: 1 }
  }
  readValues(bytes, from, to, place, line)
  return line
}

/** A line longer than can be held: its two ends may still say who it is. */
export function readLongLine(first: Buffer, last: Buffer, offset: number, length: number): Line {
  const line = emptyLine()
  const joined = Buffer.concat([first, Buffer.from('":[{"'), last])
  const skimmed = skim(joined, 0, joined.length)
  const row = skimmed && chainRow(skimmed, joined, 0, 0, offset)
  if (row) line.rows.push({ ...row, length })
  line.damage.push({ offset, length, why: 'too-long' })
  return line
}

function emptyLine(): Line {
  return { rows: [], pointers: [], checkpoints: [], titles: [], damage: [], opaque: 0 }
}

/** A crash leaves blocks of NUL bytes; what follows them on the line can be whole. */
function readAfterNuls(bytes: Buffer, from: number, to: number, place: number, line: Line): Line {
  let after = from
  while (after < to && bytes[after] === 0) after++
  line.damage.push({ offset: place, length: after - from, why: 'nul-bytes' })
  const rest = readLine(bytes, after, to, place + (after - from))
  return { ...rest, damage: [...line.damage, ...rest.damage] }
}

/** All values on the line: two records can stand on one when a newline was lost between them. */
function readValues(bytes: Buffer, from: number, to: number, place: number, line: Line): void {
  let at = from
  while (at < to) {
    const end = endOfValue(bytes, at, to)
    const value = end === -1 ? undefined : parse(bytes, at, end)
    if (value === undefined) {
      const why =
        at > from ? 'spliced' : bytes.subarray(at, to).includes(0) ? 'nul-bytes' : 'not-json'
      line.damage.push({ offset: place + at - from, length: to - at, why })
      return
    }
    addValue(value, { place: place + at - from, length: end - at }, line)
    at = end
    while (at < to && isBlank(bytes[at]!)) at++
  }
}

/** The end of the object at `at`: nearly always the end of the line. */
function endOfValue(bytes: Buffer, at: number, to: number): number {
  if (bytes[at] !== 0x7b) return to
  let depth = 0
  let quoted = false
  for (let i = at; i < to; i++) {
    const byte = bytes[i]
    if (quoted) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) quoted = false
    } else if (byte === 0x22) quoted = true
    else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      depth--
      if (depth === 0) return i + 1
    }
  }
  return -1
}

function parse(bytes: Buffer, from: number, to: number): unknown {
  if (to - from > LARGEST_PARSED) return undefined
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as unknown
  } catch {
    return undefined
  }
}

function addValue(value: unknown, at: { place: number; length: number }, line: Line): void {
  const type = field(value, 'type')
  if (typeof type !== 'string') {
    line.damage.push({ offset: at.place, length: at.length, why: 'no-object' })
    return
  }
  const row = value as Record<string, unknown>
  if (CHAIN.has(type) && typeof row['uuid'] === 'string') line.rows.push(parsedRow(row, at))
  else if (type === 'last-prompt') {
    const leaf = row['leafUuid']
    if (typeof leaf === 'string' || leaf === null)
      line.pointers.push({ place: at.place, leaf, explicit: row['explicit'] === true })
  } else if (type === 'file-history-snapshot' || type === 'file-history-delta')
    line.checkpoints.push(at)
  else addTitle(type, row, line)
}

function addTitle(type: string, row: Record<string, unknown>, line: Line): void {
  const custom = string(row['customTitle'])
  const generated = string(row['aiTitle'])
  const summary = string(row['summary'])
  if (type === 'custom-title' && custom !== null) line.titles.push({ kind: 'custom', text: custom })
  else if (type === 'ai-title' && generated !== null)
    line.titles.push({ kind: 'generated', text: generated })
  else if (type === 'summary' && summary !== null)
    line.titles.push({ kind: 'summary', text: summary })
}

function parsedRow(row: Record<string, unknown>, at: { place: number; length: number }): Row {
  const type = row['type'] as Row['type']
  const attachment = type === 'attachment' ? string(field(row['attachment'], 'type')) : null
  const prompt = type === 'user' ? classifyUserRow(row) : null
  return {
    ...at,
    type,
    subtype: attachment ?? (type === 'system' ? string(row['subtype']) : null),
    uuid: row['uuid'] as string,
    parent: string(row['parentUuid']),
    sidechain: row['isSidechain'] === true,
    at: string(row['timestamp']),
    messageId: string(field(row['message'], 'id')),
    toolResult: type === 'user' && prompt === null,
    prompt,
    boundary: type === 'system' && row['subtype'] === 'compact_boundary' ? boundaryOf(row) : null,
    absorbed: attachment === 'queued_command' ? absorbedBy(row) : null,
  }
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

/** Only what a person typed: background agents report through the same queue. */
function absorbedBy(row: Record<string, unknown>): Row['absorbed'] {
  const attachment = row['attachment']
  if (field(field(attachment, 'origin'), 'kind') !== 'human') return null
  return { text: textOf(field(attachment, 'prompt')), at: string(row['timestamp']) }
}

/** Null when the skim is not enough: prompts and boundaries are read whole. */
function chainRow(
  { fields, messageId, firstBlock, attachmentType }: Skimmed,
  bytes: Buffer,
  from: number,
  to: number,
  place: number,
): Row | null {
  const { type, uuid, parentUuid, timestamp } = fields
  if (typeof type !== 'string' || !CHAIN.has(type) || typeof uuid !== 'string') return null
  if (type === 'system') return null
  if (type === 'attachment' && (attachmentType ?? 'queued_command') === 'queued_command')
    return null
  const toolResult =
    type === 'user' &&
    (firstBlock === 'tool_result' ||
      fields.toolUseResult !== undefined ||
      typeof fields.sourceToolAssistantUUID === 'string')
  if (type === 'user' && !toolResult) {
    if (to === from) return null
    const value = parse(bytes, from, to)
    return value === undefined
      ? null
      : parsedRow(value as Record<string, unknown>, { place, length: to - from })
  }
  return {
    place,
    length: to - from,
    type: type as Row['type'],
    subtype: attachmentType,
    uuid,
    parent: typeof parentUuid === 'string' ? parentUuid : null,
    sidechain: fields.isSidechain === true,
    at: typeof timestamp === 'string' ? timestamp : null,
    messageId,
    toolResult,
    prompt: null,
    boundary: null,
    absorbed: null,
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09
}
