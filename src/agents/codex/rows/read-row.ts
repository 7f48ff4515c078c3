import { field, integer, string } from './field.ts'

/**
 * A line of a rollout, as far as it was read. `type` and `kind` are those of the line and of its
 * payload, for example `event_msg` and `task_started`; `item` is the type of a completed item, or the
 * role of a message.
 */
export interface Row {
  readonly type: string
  readonly kind: string | null
  readonly item: string | null
  readonly at: string | null
  readonly ordinal: number | null
  /** Null if the line was only skimmed. */
  readonly payload: Record<string, unknown> | null
  /** The oldest versions wrote the model's items without anything around them. */
  readonly isBare?: true
}

/** Enough for the fields before the payload's contents. */
const HEAD_BYTES = 700

const LINE =
  /^\{"timestamp":"([^"\\]{1,40})",(?:"ordinal":(\d{1,15}),)?"type":"([a-z_]{1,40})","payload":\{/
const KIND = /^"type":"([a-zA-Z_]{1,40})"/
const ITEM = /"item":\{"type":"([a-zA-Z_]{1,40})"/
const ROLE = /"role":"([a-z]{1,20})"/

/** Rows whose contents the outline of a session needs. Most bytes are in other rows. */
const WANTED: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'event_msg task_started',
  'event_msg turn_started',
  'event_msg task_complete',
  'event_msg turn_complete',
  'event_msg turn_aborted',
  'event_msg user_message',
  'event_msg thread_rolled_back',
  'event_msg item_completed UserMessage',
  'response_item message user',
])

/** A larger row that is wanted is not parsed: no prompt has this size. */
const MAX_PARSED = 32 * 1024 * 1024

/** Null if the bytes are no row. Rows that are not wanted are recognized by their beginning only. */
export function readRow(bytes: Buffer, start: number, end: number): Row | null {
  const head = bytes.toString('latin1', start, Math.min(end, start + HEAD_BYTES))
  const found = LINE.exec(head)
  if (found === null) return parseRow(bytes, start, end)
  const [prefix, at, ordinal, type] = found
  const inner = head.slice(prefix.length)
  const kind = KIND.exec(inner)?.[1] ?? null
  const within = kind === 'item_completed' ? ITEM : type === 'response_item' && kind === 'message' ? ROLE : null // prettier-ignore
  const item = within?.exec(inner)?.[1] ?? null
  // The fields are not where they were expected, so only parsing tells.
  const isElsewhere =
    kind === null ? type === 'event_msg' || type === 'response_item' : within !== null && item === null // prettier-ignore
  const name = [type, kind, item].filter((part) => part !== null).join(' ')
  if (isElsewhere || WANTED.has(name)) return parseRow(bytes, start, end)
  // A row that lost its end is damage, even if its beginning is sound.
  if (bytes[lastOf(bytes, start, end)] !== CLOSING) return null
  return { type: type!, kind, item, at: at!, ordinal: numberOf(ordinal), payload: null }
}

/** Parses the whole line; null if it is not an object or too large. */
export function parseRow(bytes: Buffer, start: number, end: number): Row | null {
  if (end - start > MAX_PARSED) return null
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const type = string(field(value, 'type'))
  const payload = field(value, 'payload')
  const at = string(field(value, 'timestamp'))
  const ordinal = integer(field(value, 'ordinal'))
  if (type !== null && typeof payload === 'object' && payload !== null) {
    const inside = payload as Record<string, unknown>
    const kind = string(inside['type'])
    const item = string(field(inside['item'], 'type')) ?? string(inside['role'])
    return { type, kind, item, at, ordinal, payload: inside }
  }
  return bareRow(value as Record<string, unknown>, at)
}

function bareRow(value: Record<string, unknown>, at: string | null): Row | null {
  const kind = string(value['type'])
  const rest = {
    item: string(value['role']),
    at,
    ordinal: null,
    payload: value,
    isBare: true,
  } as const
  if (kind !== null) return { type: 'response_item', kind, ...rest }
  if (typeof value['id'] === 'string') return { type: 'session_meta', kind: null, ...rest }
  return value['record_type'] === undefined ? null : { type: 'state', kind: null, ...rest }
}

const CLOSING = 0x7d

/** The last byte that is not a carriage return or a space. */
function lastOf(bytes: Buffer, start: number, end: number): number {
  let at = end - 1
  while (at > start && (bytes[at] === 0x0d || bytes[at] === 0x20)) at--
  return at
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits)
}
