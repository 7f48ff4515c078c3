import { parseObject } from '../parse-object.ts'

/** An event that a hook reported, without the contents of results. */
export interface HookEvent {
  readonly kind: 'hook'
  /** The file it came in; together with `at` it identifies the event. */
  readonly file: string
  readonly name: string
  /** When it was received, in ns, by the file system's clock. */
  readonly at: bigint
  readonly session: string
  readonly cwd: string
  readonly transcript: string
  readonly promptId?: string
  readonly agentId?: string
  readonly tool?: string
  readonly toolUseId?: string
  readonly durationMs?: number
  /** The text of a shell command. */
  readonly command?: string
  /** The step continues after its end was reported. */
  readonly background?: true
}

/** The start or end of a shell command, reported by the shell itself. */
export interface ShellStamp {
  readonly kind: 'shell'
  readonly file: string
  readonly name: 'start' | 'end'
  readonly at: bigint
  readonly session: string
  /** The shell's pid: the same for start and end of one command. */
  readonly shell: number
}

export type SpoolEvent = HookEvent | ShellStamp

/**
 * Null if the text is not an event. Half a file never parses, because an object ends with its
 * brace.
 */
export function readHookEvent(text: string, file: string, at: bigint): HookEvent | null {
  const report = parseObject(text)
  if (report === null) return null
  const name = textOf(report['hook_event_name'])
  const session = textOf(report['session_id'])
  if (name === undefined || session === undefined) return null
  const input = objectOf(report['tool_input'])
  const response = objectOf(report['tool_response'])
  const background =
    input['run_in_background'] === true || textOf(response['backgroundTaskId']) !== undefined
  const more = {
    promptId: textOf(report['prompt_id']),
    agentId: textOf(report['agent_id']),
    tool: textOf(report['tool_name']),
    toolUseId: textOf(report['tool_use_id']),
    durationMs: numberOf(report['duration_ms']),
    command: textOf(input['command']),
    background: background ? (true as const) : undefined,
  }
  return {
    kind: 'hook',
    file,
    name,
    at,
    session,
    cwd: textOf(report['cwd']) ?? '',
    transcript: textOf(report['transcript_path']) ?? '',
    ...known(more),
  }
}

/** Removes undefined fields, which would not compare as absent. */
function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
