/** The part of a Responses API request that tests read. */
export interface ResponsesBody {
  readonly model?: string
  readonly instructions?: string
  readonly tools?: readonly OfferedTool[]
  readonly input?: readonly InputItem[]
}

interface OfferedTool {
  readonly name?: string
  readonly type: string
  /** The tools of a group. */
  readonly tools?: readonly { readonly name?: string }[]
}

export interface InputItem {
  readonly type?: string
  readonly role?: string
  readonly content?: string | readonly { readonly text?: string }[]
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly input?: string
  readonly output?: unknown
}

/** What the user wrote, without the context that the agent adds in the user's name. */
export function userTextsOf({ input = [] }: ResponsesBody): string[] {
  return input.flatMap((item) => (isPrompt(item) ? [textOf(item)] : []))
}

/** The last prompt, and the number of answers with calls since. */
export function askedBy({ input = [] }: ResponsesBody): { prompt: string; answered: number } {
  const at = input.findLastIndex(isPrompt)
  const calls = input.slice(at + 1).flatMap(({ type, call_id }) =>
    // One answer can make several calls; their ids share what precedes the last underscore.
    type?.endsWith('_call') === true && call_id !== undefined
      ? [call_id.slice(0, call_id.lastIndexOf('_'))]
      : [],
  )
  return { prompt: at < 0 ? '' : textOf(input[at]!), answered: new Set(calls).size }
}

/** The conversation as lines, without the agent's own context. */
export function linesOf({ input = [] }: ResponsesBody): string[] {
  return input.flatMap((item) => {
    if (isPrompt(item)) return [`user: ${textOf(item)}`]
    if (item.role === 'assistant') return [`assistant: ${textOf(item)}`]
    if (item.type?.endsWith('_call') === true)
      return [`call: ${item.name ?? item.type} ${item.arguments ?? item.input ?? ''}`]
    if (item.type?.endsWith('_output') === true) return [`output: ${outputOf(item)}`]
    return []
  })
}

function isPrompt(item: InputItem): boolean {
  return (item.type ?? 'message') === 'message' && item.role === 'user' && !isContext(textOf(item))
}

function isContext(text: string): boolean {
  return /^(\s*<[a-z_]+[ >]|# AGENTS.md instructions|Warning: apply_patch was requested)/.test(text)
}

function textOf({ content = '' }: InputItem): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}

function outputOf({ output }: InputItem): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}
