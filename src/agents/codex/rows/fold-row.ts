import { crc32 } from 'node:zlib'
import { field, integer, string } from './field.ts'
import { metaOf } from './read-meta.ts'
import { rootsOf } from './read-roots.ts'
import type { Row } from './read-row.ts'
import type { Outline, RolloutTurn } from './rollout.ts'

interface Place {
  readonly place: number
  /** Where the next row begins. */
  readonly end: number
}

/** Adds a row to an outline. Rows come in the order of the file. */
export function foldRow(outline: Outline, row: Row, at: Place): void {
  if (row.at !== null && row.at > (outline.latest ?? '')) outline.latest = row.at
  if (row.ordinal !== null) outline.nextOrdinal = row.ordinal + 1
  begin(outline, row, at)
  const turn = outline.turns[outline.head]
  if (turn !== undefined && isOf(outline, turn)) {
    turn.end = at.end
    turn.endOrdinal = row.ordinal === null ? null : row.ordinal + 1
    note(turn, row, at)
  }
}

/** Rows after a rollback belong to no turn until the next prompt. */
function isOf({ turns }: Outline, turn: RolloutTurn): boolean {
  return turn === turns.at(-1)
}

function begin(outline: Outline, row: Row, { place }: Place): void {
  const { payload, type, kind } = row
  noteRoots(outline, row)
  const here = { place, ordinal: row.ordinal }
  if (type === 'session_meta') outline.meta ??= metaOf(row)
  else if (type === 'turn_context') {
    outline.model = string(payload?.['model']) ?? outline.model
    outline.cwd = string(payload?.['cwd']) ?? outline.cwd
  } else if (type === 'compacted') outline.boundaries.push(place)
  else if (type === 'response_item' && kind === 'message' && payload?.['role'] === 'user') {
    const text = textOf(payload['content'])
    outline.asked = { ...here, text }
    // Without events, the model's own input is all that tells of a prompt.
    if (!outline.hasEvents && row.isBare === true && !isContext(text))
      addTurn(outline, text, row, here)
  } else if (type !== 'event_msg') return
  else if (kind === 'task_started' || kind === 'turn_started') {
    const id = string(payload?.['turn_id'])
    outline.task = id === null ? null : { ...here, id, at: row.at }
  } else if (kind === 'user_message') ask(outline, string(payload?.['message']) ?? '', row, here)
  else if (kind === 'item_completed' && row.item === 'UserMessage')
    ask(outline, textOf(field(payload?.['item'], 'content')), row, here)
  else if (kind === 'thread_rolled_back') rollBack(outline, integer(payload?.['num_turns']) ?? 0)
}

/** A prompt: the first of its task begins a turn, later ones are taken into it. */
function ask(outline: Outline, text: string, row: Row, here: Start): void {
  outline.hasEvents = true
  const { task, asked } = outline
  const current = outline.turns[outline.head]
  const named = string(row.payload?.['turn_id'])
  const isWithin = task === null && current !== undefined && current.over === null
  if (isWithin && (named === null ? current.task !== null : named === current.task)) {
    current.absorbed.push({ text, at: row.at })
    return
  }
  // The row for the model comes first, and a turn begins with it if nothing else marks its start.
  const from = task ?? (asked !== null && isSame(asked.text, text) ? asked : here)
  addTurn(outline, text, row, from, task?.id ?? named)
}

/**
 * The id that a client gave to a prompt: Retake chooses it for turns that it runs, and needs it
 * before the agent has chosen its own.
 */
function clientIdOf({ payload }: Row): string | null {
  const id = string(field(payload?.['item'], 'client_id')) ?? string(payload?.['client_id'])
  return id !== null && UUID.test(id) ? id : null
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Start = { readonly place: number; readonly ordinal: number | null }

function addTurn(
  outline: Outline,
  prompt: string,
  row: Row,
  { place, ordinal }: Start,
  task: string | null = null,
): void {
  const { turns, meta } = outline
  const { at } = row
  const named =
    clientIdOf(row) ?? task ?? idOf(at, prompt) ?? `${meta?.thread ?? 'rollout'}@${place}`
  const own = outline.ids.has(named) ? `${named}@${place}` : named
  outline.ids.add(own)
  const previous = turns.at(-1)
  // A task begins before its prompt, so its first rows were taken for the turn before.
  if (previous !== undefined && previous.end > place) {
    previous.end = place
    previous.endOrdinal = ordinal
  }
  turns.push({
    id: own,
    parent: outline.head,
    place,
    ordinal,
    prompt,
    at: outline.task?.at ?? at,
    isShell: false,
    task,
    absorbed: [],
    end: place,
    endOrdinal: ordinal,
    interrupted: false,
    over: null,
    answered: null,
    spoke: place,
    started: null,
    ended: null,
    answers: 0,
    rows: 0,
    calls: 0,
    model: outline.model,
    cwd: outline.cwd,
  })
  outline.head = turns.length - 1
  outline.task = null
  outline.asked = null
}

/**
 * An id for a turn that has none, the same in every copy of its row: its time in the form of a UUID.
 * Null if the row has no time.
 */
function idOf(at: string | null, prompt: string): string | null {
  const time = Date.parse(at ?? '')
  if (!(time >= 0)) return null
  const hex = time.toString(16).padStart(12, '0')
  const sum = crc32(prompt).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-8${sum.slice(0, 3)}-8${sum.slice(3, 6)}-${sum.slice(6)}0000000000`
}

/** The agent drops its newest turns: they stay in the file, but off the path to the head. */
function rollBack(outline: Outline, count: number): void {
  for (let n = 0; n < count && outline.head >= 0; n++)
    outline.head = outline.turns[outline.head]!.parent
}

/** Far more than users add. */
const MAX_ROOTS = 256

function noteRoots({ roots }: Outline, row: Row): void {
  for (const path of rootsOf(row))
    if (roots.length < MAX_ROOTS && roots.every((root) => root.path !== path))
      roots.push({ path, at: row.at })
}

function note(turn: RolloutTurn, row: Row, { place }: Place): void {
  const { type, kind, item, payload } = row
  if (type === 'turn_context') turn.model = string(payload?.['model']) ?? turn.model
  if (type === 'response_item') {
    if (kind !== 'message' || item === 'assistant') {
      turn.answered ??= { place, ordinal: row.ordinal }
      turn.spoke = place
    }
    if (kind === 'message' && item === 'assistant') answered(turn, row)
    else if (kind === 'reasoning') turn.started ??= row.at
    else if (kind?.endsWith('_call') === true) {
      turn.calls += 1
      turn.rows += 1
      turn.started ??= row.at
      turn.ended = row.at
    } else if (kind?.endsWith('_output') === true) {
      turn.rows += 1
      turn.ended = row.at
    }
    return
  }
  if (type !== 'event_msg') return
  if (kind === 'agent_message' || item === 'AgentMessage') turn.answers += 1
  if (kind === 'item_completed' || kind?.endsWith('_end') === true) turn.rows += 1
  if (kind === 'turn_aborted') turn.interrupted = true
  if (kind === 'turn_aborted' || kind === 'task_complete' || kind === 'turn_complete') {
    // A later task without a prompt, such as a compaction, ends too.
    if (turn.over === null) turn.ended = row.at
    turn.over ??= place
  }
}

/** The model said something. Its context, which has the role of a developer, is not meant. */
function answered(turn: RolloutTurn, { at }: Row): void {
  turn.started ??= at
  turn.ended = at
}

function isSame(asked: string, prompt: string): boolean {
  return asked.trim().endsWith(prompt.trim())
}

/** The agent's own context in the user's name. */
export function isContext(text: string): boolean {
  return /^\s*<[a-z_]+[ >]/.test(text) || text.startsWith('# AGENTS.md instructions')
}

/** The text of a message, with a placeholder for each image, so that no prompt is empty. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part) => {
      const text = string(field(part, 'text'))
      if (text !== null) return [text]
      return /image/i.test(string(field(part, 'type')) ?? '') ? ['[image]'] : []
    })
    .join('\n')
}
