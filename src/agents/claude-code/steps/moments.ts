import { readRanges } from '#disk'
import { addTokens, noTokens, type Moment, type Step, type Subagent, type Tokens } from '#timeline'
import { editsOfCall, isDelegating, isEditing, unknownEffectOf } from './edits.ts'
import { field, string, textOf } from '../rows/index.ts'
import type { Row } from '../rows/index.ts'
import { kindOfTool } from './tool-kinds.ts'
import type { Answer } from '../../open-session.ts'

export interface ReadMoments {
  readonly tokens: Tokens
  readonly moments: Moment[]
  readonly answers: Answer[]
}

/** Finds a subagent by the id of the call, and the tool that was called. */
export type FindAgent = (call: string, tool: string) => Subagent | null

interface Reading {
  readonly by: 'agent' | 'subagent'
  readonly findAgent: FindAgent
  /** Subagents' rows are in the main file, without the call that started them. */
  readonly agentsAside?: boolean
}

/** Parsing a larger row would take several times as much memory. */
const MAX_ROW_BYTES = 64 * 1024 * 1024

/** Reads the rows of one turn. Only here are large rows parsed, one at a time. */
export function readMoments(path: string, rows: readonly Row[], options: Reading): ReadMoments {
  using file = readRanges(path)
  const parse = (row: Row): unknown => {
    if (row.length > MAX_ROW_BYTES) return undefined
    try {
      return JSON.parse(file.read(row.place, row.length).toString('utf8'))
    } catch {
      return undefined
    }
  }
  const results = new Map<string, Result>()
  for (const row of rows)
    if (row.toolResult)
      for (const result of resultsIn(parse(row), row.at)) results.set(result.id, result)

  const moments: Moment[] = []
  const answers = new Map<string, Answer & { moments: Moment[] }>()
  const tokens = new Map<string, Tokens>()
  for (const row of rows) {
    if (row.type === 'assistant') {
      const value = parse(row)
      const found: Moment[] =
        value === undefined
          ? [{ kind: 'unreadable', why: damagedRow(row) }]
          : momentsIn(value, row, results, options)
      moments.push(...found)
      const key = row.messageId ?? row.uuid
      const answer = answers.get(key)
      if (answer === undefined) answers.set(key, { id: row.uuid, at: row.at, moments: found })
      else answer.moments.push(...found)
      // Every row of an answer repeats the running count; the last one is complete.
      tokens.set(key, usageIn(value))
    } else if (row.absorbed) moments.push({ kind: 'absorbed', ...row.absorbed })
    else if (row.prompt?.role === 'interrupt') moments.push({ kind: 'interrupted', at: row.at })
    else if (row.boundary)
      moments.push({ kind: 'compacted', at: row.at, trigger: row.boundary.trigger })
  }
  return {
    moments,
    answers: [...answers.values()],
    tokens: [...tokens.values()].reduce(addTokens, noTokens),
  }
}

function usageIn(row: unknown): Tokens {
  const usage = field(field(row, 'message'), 'usage')
  const read = (name: string): number => {
    const value = field(usage, name)
    return typeof value === 'number' && value > 0 ? value : 0
  }
  return {
    input:
      read('input_tokens') + read('cache_read_input_tokens') + read('cache_creation_input_tokens'),
    output: read('output_tokens'),
  }
}

function damagedRow(row: Row): string {
  return `the row at byte ${row.place} (${row.length} bytes) cannot be read`
}

interface Result {
  readonly id: string
  readonly failed: boolean
  readonly denied: boolean
  readonly interrupted: boolean
  readonly said: string
  readonly result: unknown
  readonly at: string | null
}

/** Written when a session is resumed, for calls that a killed process left without a result. */
const LOST = /^\[(?:Tool|Agent) call interrupted: the (?:session ended|process running)/u

function resultsIn(row: unknown, at: string | null): Result[] {
  const content = field(field(row, 'message'), 'content')
  if (!Array.isArray(content)) return []
  const result = field(row, 'toolUseResult')
  // An interrupted call has this kind too, and one whose result was withheld after it had run.
  const kind = string(field(row, 'toolDenialKind'))
  const interrupted = kind === 'interrupted'
  const neverRan = kind !== null && !interrupted && field(row, 'toolDenialAfterRun') !== true
  return content.flatMap((block) => {
    const id = string(field(block, 'tool_use_id'))
    if (id === null || LOST.test(textOf(field(block, 'content')))) return []
    return [
      {
        id,
        failed: field(block, 'is_error') === true,
        denied: neverRan || result === 'User rejected tool use',
        interrupted,
        said: textOf(field(block, 'content')),
        at,
        // An error is recorded as a plain string, with nothing to undo.
        result: typeof result === 'object' && result !== null ? result : undefined,
      },
    ]
  })
}

function momentsIn(
  value: unknown,
  row: Row,
  results: ReadonlyMap<string, Result>,
  { by, findAgent, agentsAside = false }: Reading,
): Moment[] {
  const content = field(field(value, 'message'), 'content')
  if (typeof content === 'string') return [{ kind: 'said', text: content, at: row.at }]
  if (!Array.isArray(content)) return []
  return content.flatMap((block): Moment[] => {
    const text = string(field(block, 'text'))
    const thinking = string(field(block, 'thinking'))
    const id = string(field(block, 'id'))
    const type = field(block, 'type')
    if (type === 'text' && text !== null) return [{ kind: 'said', text, at: row.at }]
    if (type === 'thinking' && thinking !== null)
      return [{ kind: 'thought', text: thinking, at: row.at }]
    if (type !== 'tool_use' || id === null) return []
    const step = stepOf(block, id, row, results.get(id), by, string(field(value, 'cwd')))
    const agent = findAgent(id, step.tool)
    // If the file of a subagent is gone, its changes are unknown, like those of a command.
    const isLost = isDelegating(step.tool) && agent === null && !agentsAside
    const unknownEffect = isLost && step.outcome !== 'denied' ? effectOf(step) : step.unknownEffect
    return [{ kind: 'step', step: { ...step, agent, unknownEffect } }]
  })
}

function effectOf({ tool, about }: Step): string {
  return about === '' ? tool : `${tool}: ${about}`
}

function stepOf(
  block: unknown,
  id: string,
  row: Row,
  result: Result | undefined,
  by: 'agent' | 'subagent',
  cwd: string | null,
): Step {
  const tool = string(field(block, 'name')) ?? 'unknown tool'
  const input = field(block, 'input')
  const outcome = outcomeOf(result)
  // The call may have waited for permission: the file was written at the time of the result.
  const at = result?.at ?? row.at
  const call = { id, at, tool, input, result: result?.result, said: result?.said ?? '', by, cwd }
  return {
    id,
    tool,
    kind: kindOfTool(tool),
    about: aboutOf(input),
    at: row.at,
    endedAt: result?.at ?? null,
    outcome,
    ...saidBy(tool, result),
    edits: outcome === 'ok' && isEditing(tool) ? editsOfCall(call) : [],
    // A command that failed or was interrupted may have written before that.
    unknownEffect: outcome === 'denied' ? null : unknownEffectOf(tool, input),
    agent: null,
  }
}

/** Enough to see what happened; the transcript has the rest. */
const MAX_OUTPUT = 4000

/** Leaves out the output of reads and edits, which repeats the file's text. */
function saidBy(tool: string, result: Result | undefined): { said?: string } {
  const isFile = tool === 'Read' || isEditing(tool)
  // A failed one says why it failed, without the file's text.
  if (result === undefined || result.said === '' || (isFile && !result.failed)) return {}
  // Copy it: a slice of a string would keep the whole string in memory.
  return { said: Buffer.from(result.said.slice(0, MAX_OUTPUT)).toString() }
}

function outcomeOf(result: Result | undefined): Step['outcome'] {
  if (result === undefined) return 'unfinished'
  if (result.denied) return 'denied'
  if (result.interrupted || field(result.result, 'interrupted') === true) return 'interrupted'
  return result.failed ? 'error' : 'ok'
}

const DESCRIPTIVE_FIELDS = ['file_path', 'notebook_path', 'command', 'pattern', 'description', 'path', 'url', 'query', 'skill', 'prompt'] // prettier-ignore

export function aboutOf(input: unknown): string {
  for (const name of DESCRIPTIVE_FIELDS) {
    const value = string(field(input, name))
    if (value !== null) return value
  }
  return ''
}
