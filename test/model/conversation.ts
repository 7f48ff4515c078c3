import { isAbsolute, relative } from 'node:path'

/** The part of a Messages API request that the tests look at. */
export interface MessagesBody {
  readonly model?: string
  readonly stream?: boolean
  readonly system?: string | readonly { readonly text?: string }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly messages?: readonly Message[]
}

export interface Message {
  /** `system` stands in the middle of a conversation and carries the agent's own reminders. */
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string | readonly Content[]
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: Readonly<Record<string, unknown>>
    }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content?: string | readonly Content[]
      readonly is_error?: boolean
    }

/** The texts a user (or the agent in a user's name) sent, reminders and tool results left out. */
export function userTexts(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').flatMap(textsOf)
}

/** The prompt that a request wants answered, and how many answers it already got. */
export function findPrompt(messages: readonly Message[]): { prompt: string; answered: number } {
  const at = messages.findLastIndex(
    (message) => message.role === 'user' && textsOf(message).length > 0,
  )
  if (at < 0) return { prompt: '', answered: 0 }
  return {
    prompt: textsOf(messages[at]!).at(-1)!,
    answered: messages.slice(at + 1).filter(({ role }) => role === 'assistant').length,
  }
}

/** Where the agent says it works; without it relative paths of the script would mean nothing. */
export function findWorkingDirectory({ system, messages = [] }: MessagesBody): string | undefined {
  const ofSystem = typeof system === 'string' ? [system] : (system ?? []).map((s) => s.text ?? '')
  const said = messages.flatMap((message) =>
    contents(message).map((content) => (content.type === 'text' ? content.text : '')),
  )
  // The newest wins: a session can be resumed in another directory.
  for (const text of [...ofSystem, ...said].toReversed()) {
    const found = /working directory: (.+)/i.exec(text)
    if (found) return found[1]!.trim()
  }
  return undefined
}

/** One line per block, with paths relative to the working directory: made to be compared. */
export function describe(body: MessagesBody): string[] {
  const cwd = findWorkingDirectory(body) ?? '/'
  const lines: string[] = []
  for (const message of body.messages ?? []) {
    if (message.role === 'system') continue
    for (const content of contents(message)) {
      const line = describeContent(content, cwd)
      if (line !== undefined) lines.push(`${message.role}: ${line}`)
    }
  }
  return lines
}

function describeContent(content: Content, cwd: string): string | undefined {
  switch (content.type) {
    case 'text':
      return withoutReminders(content.text) || undefined
    case 'thinking':
      return `thinking ${content.thinking}`
    case 'tool_use':
      return `use ${content.name} ${describeInput(content.input, cwd)}`
    case 'tool_result':
      return `${content.is_error === true ? 'error' : 'result'} ${describeResult(content, cwd)}`
    default:
      return `(${(content as { type: string }).type})`
  }
}

function describeInput(input: Readonly<Record<string, unknown>>, cwd: string): string {
  const path = input['file_path'] ?? input['notebook_path']
  if (typeof path === 'string') return isAbsolute(path) ? relative(cwd, path) : path
  for (const name of ['command', 'prompt', 'query']) {
    const value = input[name]
    if (typeof value === 'string') return value
  }
  return JSON.stringify(input)
}

/** The first line is enough to tell results apart; the rest is the agent's wording. */
function describeResult({ content = '' }: Content & { type: 'tool_result' }, cwd: string): string {
  const said =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')
  const [line = ''] = withoutReminders(said).replaceAll(`${cwd}/`, '').split('\n')
  const plain = line.replace(/ \(file state is current in your context.*\)$/, '')
  return plain.length > 80 ? `${plain.slice(0, 80)}…` : plain
}

function textsOf(message: Message): string[] {
  return contents(message)
    .map((content) => (content.type === 'text' ? withoutReminders(content.text) : ''))
    .filter((text) => text !== '')
}

function contents({ content }: Message): readonly Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim()
}
