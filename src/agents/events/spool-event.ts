import { parseObject } from '../parse-object.ts'

/** What a hook told: a moment of a session, without the bodies of results. */
export interface HookEvent {
  readonly kind: 'hook'
  /** The file it came in; with `at` it is the event's identity. */
  readonly file: string
  readonly name: string
  /** When it was received, in nanoseconds, by the clock of the file system. */
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
  /** The step goes on after its end was told. */
  readonly background?: true
}

/** The moment a shell command began or ended, told by the shell itself. */
export interface ShellStamp {
  readonly kind: 'shell'
  readonly file: string
  readonly name: 'start' | 'end'
  readonly at: bigint
  readonly session: string
  /** The shell's process id: start and end of one command have the same. */
  readonly shell: number
}

export type SpoolEvent = HookEvent | ShellStamp

/** Null when the text is no event: half a file never parses, an object ends with its brace. */
export function readHookEvent(text: string, file: string, at: bigint): HookEvent | null {
  const told = parseObject(text)
  if (told === null) return null
  const name = textOf(told['hook_event_name'])
  const session = textOf(told['session_id'])
  if (name === undefined || session === undefined) return null
  const input = objectOf(told['tool_input'])
  const response = objectOf(told['tool_response'])
  const background =
    input['run_in_background'] === true || textOf(response['backgroundTaskId']) !== undefined
  const more = {
    promptId: textOf(told['prompt_id']),
    agentId: textOf(told['agent_id']),
    tool: textOf(told['tool_name']),
    toolUseId: textOf(told['tool_use_id']),
    durationMs: numberOf(told['duration_ms']),
    command: textOf(input['command']),
    background: background ? (true as const) : undefined,
  }
  return {
    kind: 'hook',
    file,
    name,
    at,
    session,
    cwd: textOf(told['cwd']) ?? '',
    transcript: textOf(told['transcript_path']) ?? '',
    ...known(more),
  }
}

/** Without what was not told: a field that is there and undefined would not compare as absent. */
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
