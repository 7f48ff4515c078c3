import { readLines } from '#disk'
import { noTokens, type Moment, type Step, type Tokens } from '#timeline'
import type { Answer } from '../../open-session.ts'
import {
  openRollout,
  field,
  integer,
  parseRow,
  string,
  textOf,
  type Row,
  type RolloutTurn,
} from '../rows/index.ts'
import { callOf, type Call } from './call.ts'
import { stepOf, type FindAgent, type Result } from './step.ts'

export interface ReadMoments {
  readonly moments: Moment[]
  readonly answers: Answer[]
  readonly tokens: Tokens
}

export interface Reading {
  readonly by: 'agent' | 'subagent'
  readonly findAgent: FindAgent
}

/** A row of a turn, read completely. */
interface TurnRow {
  readonly row: Row | null
  readonly place: number
  readonly length: number
}

const MAX_ROW_BYTES = 64 * 1024 * 1024

/** The rows of one turn. Only here are all rows parsed. */
export function rowsOf(
  path: string,
  { place, end }: Pick<RolloutTurn, 'place' | 'end'>,
): TurnRow[] {
  using file = openRollout(path)
  const rows: TurnRow[] = []
  // Rows after the turn's end belong to the next one.
  const part = { ...file, size: Math.min(file.size, end) }
  const add = (bytes: Buffer, start: number, to: number, offset: number): void => {
    if (to > start)
      rows.push({ row: parseRow(bytes, start, to), place: offset, length: to - start })
  }
  readLines(
    part,
    { from: place, limit: MAX_ROW_BYTES },
    {
      line: add,
      rest: add,
      longLine: (_, { offset, length }) => void rows.push({ row: null, place: offset, length }),
    },
  )
  return rows
}

/** What happened in a turn, in the order of its rows. */
export function readMoments(path: string, turn: RolloutTurn, how: Reading): ReadMoments {
  const rows = rowsOf(path, turn)
  const results = resultsIn(rows)
  const moments: Moment[] = []
  const answers: Answer[] = []
  let tokens = noTokens
  let prompts = 0
  let cwd = turn.cwd
  for (const { row, place, length } of rows) {
    if (row === null) {
      const why = `the row at byte ${place} (${length} bytes) cannot be read`
      moments.push({ kind: 'unreadable', why })
      continue
    }
    const { type, kind, payload, at } = row
    if (type === 'turn_context') cwd = string(payload?.['cwd']) ?? cwd
    if (type === 'compacted') moments.push({ kind: 'compacted', at, trigger: null })
    if (isPrompt(row)) {
      prompts += 1
      if (prompts > 1) moments.push({ kind: 'absorbed', text: promptOf(row), at })
    }
    if (kind === 'turn_aborted' && payload?.['reason'] !== 'replaced')
      moments.push({ kind: 'interrupted', at })
    tokens = tokensIn(row) ?? tokens
    if (type !== 'response_item') continue
    const found = itemMoments(payload, at, (call) => stepOf(call, results.get(call.id), { ...how, cwd })) // prettier-ignore
    moments.push(...found)
    if (found.length > 0)
      answers.push({ id: string(payload?.['id']) ?? `${turn.id}@${place}`, at, moments: found })
  }
  return { moments, answers, tokens }
}

function isPrompt({ type, kind, item }: Row): boolean {
  return type === 'event_msg' && (kind === 'user_message' || item === 'UserMessage')
}

function promptOf({ payload }: Row): string {
  return string(payload?.['message']) ?? textOf(field(payload?.['item'], 'content'))
}

function itemMoments(item: unknown, at: string | null, step: (call: Call) => Step): Moment[] {
  const type = field(item, 'type')
  if (type === 'message') {
    const text = textOf(field(item, 'content'))
    return field(item, 'role') === 'assistant' && text !== '' ? [{ kind: 'said', text, at }] : []
  }
  if (type === 'reasoning') {
    const text = textOf(field(item, 'summary')) || textOf(field(item, 'content'))
    return text === '' ? [] : [{ kind: 'thought', text, at }]
  }
  const call = callOf(item, at)
  return call === null ? [] : [{ kind: 'step', step: step(call) }]
}

/** The results of calls, and what the agent noted about them, by the call's id. */
function resultsIn(rows: readonly TurnRow[]): Map<string, Result> {
  const results = new Map<string, Result>()
  const add = (id: string | null, more: Partial<Result>): void => {
    if (id === null) return
    results.set(id, {
      output: null,
      patch: null,
      command: null,
      commandAt: null,
      startedAt: null,
      at: null,
      ...results.get(id),
      ...more,
    })
  }
  for (const { row } of rows) {
    const { payload = null, at = null, kind = null, item = null } = row ?? {}
    if (payload === null) continue
    if (row!.type === 'response_item') {
      if (kind?.endsWith('_output') === true)
        add(string(payload['call_id']), { output: payload, at })
      continue
    }
    if (row!.type !== 'event_msg') continue
    const inner = payload['item']
    const startedAt = integer(payload['started_at_ms'])
    if (item === 'FileChange') add(string(field(inner, 'id')), { patch: { noted: inner, at } })
    if (item === 'CommandExecution')
      add(string(field(inner, 'id')), { command: inner, commandAt: at, startedAt })
    if (kind === 'patch_apply_end')
      add(string(payload['call_id']), { patch: { noted: payload, at } })
    if (kind === 'exec_command_end')
      add(string(payload['call_id']), { command: payload, commandAt: at })
  }
  return results
}

/** The tokens of the turn so far; null if the row does not tell. */
function tokensIn({ type, kind, payload }: Row): Tokens | null {
  const usage =
    type === 'token_usage_record'
      ? payload?.['turn_token_usage']
      : kind === 'token_count'
        ? null
        : undefined
  const [input, output] = ['input_tokens', 'output_tokens'].map((name) =>
    integer(field(usage, name)),
  )
  return input == null || output == null ? null : { input, output }
}
