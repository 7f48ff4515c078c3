/**
 * The kind of a `user` row. Only the first three kinds begin a turn: the transcript also stores
 * tool results, summaries, interrupts and the output of local commands as rows of type `user`.
 */
export interface Prompt {
  readonly kind: 'typed' | 'command' | 'shell' | 'not-a-turn'
  readonly text: string
  readonly role: Role
  readonly cwd: string | null
  readonly version: string | null
  readonly gitBranch: string | null
  /** Set by the SDK's fork on every copied row. */
  readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
}

type Role =
  | 'prompt'
  | 'interrupt'
  | 'summary'
  | 'meta'
  | 'local-command'
  | 'command-output'
  | 'notification'

/** Prefixes of texts that the agent itself writes into `user` rows. */
const WRITTEN_BY_THE_AGENT: [string, Role][] = [
  ['[Request interrupted by user', 'interrupt'],
  ['<command-name>', 'local-command'],
  ['<local-command-', 'command-output'],
  ['<bash-stdout>', 'command-output'],
  ['<bash-stderr>', 'command-output'],
  ['<task-notification>', 'notification'],
  ['<user-memory-input>', 'local-command'],
]

/** Null if the row carries tool results. */
export function classifyUserRow(row: Record<string, unknown>): Prompt | null {
  const content = field(row['message'], 'content')
  if (Array.isArray(content) && content.some((block) => field(block, 'type') === 'tool_result'))
    return null
  const text = textOf(content)
  const role = roleOf(row, text)
  return {
    kind: role === 'prompt' ? kindOf(text) : 'not-a-turn',
    text: role === 'prompt' ? typedText(text) : text,
    role,
    cwd: string(row['cwd']),
    version: string(row['version']),
    gitBranch: string(row['gitBranch']),
    forkedFrom: forkedFrom(row['forkedFrom']),
  }
}

function roleOf(row: Record<string, unknown>, text: string): Role {
  if (row['isCompactSummary'] === true) return 'summary'
  if (row['isMeta'] === true) return 'meta'
  if (row['promptSource'] === 'system') return 'notification'
  if (field(row['origin'], 'kind') === 'task-notification') return 'notification'
  // A user can type any of these texts. Claude Code marks typed prompts since 2.1; before that,
  // only the text tells.
  if (typeof row['promptSource'] === 'string') return 'prompt'
  for (const [beginning, role] of WRITTEN_BY_THE_AGENT) if (text.startsWith(beginning)) return role
  return 'prompt'
}

function kindOf(text: string): 'typed' | 'command' | 'shell' {
  if (text.startsWith('<bash-input>')) return 'shell'
  if (text.startsWith('<command-message>')) return 'command'
  return 'typed'
}

/** The prompt as the user typed it, without the tags around a command. */
function typedText(text: string): string {
  if (text.startsWith('<bash-input>')) return `!${inside(text, 'bash-input') ?? text}`
  if (!text.startsWith('<command-message>')) return text
  const name = inside(text, 'command-name')
  const args = inside(text, 'command-args')
  if (name === null) return text
  return args === null || args === '' ? name : `${name} ${args}`
}

function inside(text: string, tag: string): string | null {
  const from = text.indexOf(`<${tag}>`)
  if (from === -1) return null
  const to = text.indexOf(`</${tag}>`, from)
  return to === -1 ? null : text.slice(from + tag.length + 2, to).trim()
}

/** The text blocks, with a placeholder for each image or document, so that no prompt is empty. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts: string[] = []
  for (const block of content) {
    const type = field(block, 'type')
    const text = field(block, 'text')
    if (type === 'text' && typeof text === 'string') parts.push(text)
    else if (type === 'image' || type === 'document') parts.push(`[${type}]`)
  }
  return parts.join('\n')
}

function forkedFrom(value: unknown): Prompt['forkedFrom'] {
  const session = string(field(value, 'sessionId'))
  const uuid = string(field(value, 'messageUuid'))
  return session === null || uuid === null ? null : { session, uuid }
}

/** Reads a field of an unknown value. Own fields only: `constructor` is not data. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

export function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
