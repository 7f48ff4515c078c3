import { isAbsolute, relative } from 'node:path'

/** The part of a Messages API request that tests read. */
export interface MessagesBody {
  readonly model?: string
  readonly stream?: boolean
  readonly system?: string | readonly { readonly text?: string }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly messages?: readonly Message[]
}

export interface Message {
  /** `system` messages occur inside a conversation and contain the agent's reminders. */
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

/** The texts sent by the user, or in the user's name, without reminders and tool results. */
export function userTexts(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').flatMap(textsOf)
}

/** A prompt, and the number of answers since. */
export interface Asked {
  readonly prompt: string
  readonly answered: number
}

/**
 * The prompts that a request wants answered, newest first. There are several if the user wrote
 * while the agent worked: the agent adds such a message to the running turn, and the turn's script
 * may continue unchanged.
 */
export function findPrompts(messages: readonly Message[]): Asked[] {
  const asked: Asked[] = []
  let answered = 0
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') answered++
    if (message.role !== 'user') continue
    for (const text of textsOf(message).toReversed()) {
      const queued = saidWhileWorking.exec(text)
      asked.push({ prompt: queued?.[1] ?? text, answered })
      if (queued === null) return asked
    }
  }
  return asked
}

const saidWhileWorking =
  /^The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is/

/** The agent's working directory, which relative paths of the script need. */
export function findWorkingDirectory({ system, messages = [] }: MessagesBody): string | undefined {
  const ofSystem = typeof system === 'string' ? [system] : (system ?? []).map((s) => s.text ?? '')
  const said = messages.flatMap((message) =>
    contents(message).map((content) => (content.type === 'text' ? content.text : '')),
  )
  // The newest one, because a session can be resumed in another directory.
  for (const text of [...ofSystem, ...said].toReversed()) {
    const found = /(?:working directory|^CWD): (.+)/im.exec(text)
    if (found) return found[1]!.trim()
  }
  return undefined
}

/** One line per block for comparisons, with paths relative to the working directory. */
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
    case 'text': {
      const said = withoutReminders(content.text)
      const queued = saidWhileWorking.exec(said)
      return queued ? `(while working) ${queued[1]}` : said || undefined
    }
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

/** The first line identifies a result; the rest is the agent's wording. */
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

/** Removes what the agent adds to user messages by itself. */
function withoutReminders(text: string): string {
  const rest = text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim()
  return rest === 'Tool loaded.' ? '' : rest
}

/** The text of the newest tool result in a request. */
export function lastToolResult(messages: readonly Message[] = []): string {
  const results = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter((each) => each.type === 'tool_result')
  const content = results.at(-1)?.content ?? ''
  if (typeof content === 'string') return content
  return content.map((each) => (each.type === 'text' ? each.text : '')).join('')
}
