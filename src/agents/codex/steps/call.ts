import { field, string } from '../rows/index.ts'

/** A call of a tool, as the model made it. */
export interface Call {
  readonly id: string
  readonly tool: string
  /** The arguments; a text if the tool takes one. */
  readonly input: unknown
  readonly at: string | null
}

/** Null if the item is no call. */
export function callOf(item: unknown, at: string | null): Call | null {
  const type = string(field(item, 'type'))
  const id = string(field(item, 'call_id')) ?? string(field(item, 'id'))
  if (id === null) return null
  if (type === 'function_call')
    return { id, at, tool: nameOf(item), input: parse(string(field(item, 'arguments'))) }
  if (type === 'custom_tool_call')
    return { id, at, tool: nameOf(item), input: field(item, 'input') }
  if (type === 'local_shell_call')
    return { id, at, tool: 'local_shell', input: field(item, 'action') }
  if (type === 'web_search_call')
    return { id, at, tool: 'web_search', input: field(item, 'action') }
  return type?.endsWith('_call') === true
    ? { id, at, tool: type.slice(0, -'_call'.length), input: item }
    : null
}

function nameOf(item: unknown): string {
  return string(field(item, 'name')) ?? 'unknown tool'
}

function parse(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The command of a shell tool, as a user would type it; null if the call has none. */
export function commandOf({ input }: Pick<Call, 'input'>): string | null {
  const given = field(input, 'cmd') ?? field(input, 'command') ?? field(input, 'chars')
  if (typeof given === 'string') return given
  if (!Array.isArray(given) || !given.every((word) => typeof word === 'string')) return null
  const [shell, option, script] = given
  const isShell = given.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell!) && /^-l?c$/.test(option!)
  return isShell ? script! : given.join(' ')
}

const DESCRIPTIVE_FIELDS = ['path', 'file_path', 'pattern', 'query', 'url', 'message', 'prompt', 'task_name', 'explanation'] // prettier-ignore

/** The subject of a call on one line. */
export function aboutOf(call: Call): string {
  const command = commandOf(call)
  if (command !== null) return command
  for (const name of DESCRIPTIVE_FIELDS) {
    const value = string(field(call.input, name))
    if (value !== null) return value
  }
  return call.tool === 'apply_patch' ? patchedPaths(call.input).join(', ') : ''
}

/** The paths that a patch names, relative to the directory of the call. */
function patchedPaths(input: unknown): string[] {
  const text = string(input) ?? string(field(input, 'input')) ?? string(field(input, 'patch')) ?? ''
  return [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) =>
    path!.trim(),
  )
}

/** The text that the model got as the result of a call. */
export function outputOf(item: unknown): string {
  const output = field(item, 'output')
  if (typeof output !== 'string') {
    const content = field(output, 'content')
    if (typeof content === 'string') return content
    const parts = Array.isArray(output) ? output : Array.isArray(content) ? content : []
    return parts.flatMap((part) => string(field(part, 'text')) ?? []).join('\n')
  }
  return string(field(unwrap(output), 'output')) ?? output
}

/** Older versions wrap the output of commands, some of them twice. */
function unwrap(output: string): unknown {
  const at = output.indexOf('{"output":')
  return at === 0 || (at > 0 && output.slice(0, at).endsWith('Output:\n')) ? parse(output.slice(at)) : null // prettier-ignore
}

/** Null if the output does not say. */
export function exitCodeOf(item: unknown): number | null {
  const output = field(item, 'output')
  const text = typeof output === 'string' ? output : outputOf(item)
  const code = field(field(unwrap(text), 'metadata'), 'exit_code')
  if (typeof code === 'number') return code
  const said = /^(?:Exit code: |Process exited with code )(-?\d{1,4})$/m.exec(text.slice(0, 400))
  return said === null ? null : Number(said[1])
}
