/**
 * What the model receives, as lines: from a request of the real agent, or from the rows that the
 * reader would send. Tool calls and results appear by id, texts by content.
 */
import { readFileSync } from 'node:fs'
import type { Row } from '../../src/agents/claude-code/rows/row.ts'
import type { Content, MessagesBody } from '../model/conversation.ts'

export function linesOfRequest({ messages = [] }: MessagesBody): string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : blocksOf(content).flatMap((block) => lineOf(role, block)),
  )
}

/** The lines of rows, after the repairs that the agent makes before sending. */
export function linesOfChain(path: string, chain: readonly Row[]): string[] {
  const bytes = readFileSync(path)
  const messages: Message[] = []
  for (const row of chain) {
    const value = JSON.parse(bytes.toString('utf8', row.place, row.place + row.length)) as RawRow
    const message = messageOf(row, value)
    if (message !== null) addMessage(messages, message)
  }
  return repairCalls(messages).flatMap(({ role, blocks }) =>
    blocks.flatMap((block) => lineOf(role, block)),
  )
}

interface RawRow {
  readonly isApiErrorMessage?: boolean
  readonly subtype?: string
  readonly content?: string
  readonly message?: { readonly id?: string; readonly content: string | readonly Content[] }
  readonly attachment?: { readonly prompt?: string | readonly Content[] }
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly id: string | null
  readonly blocks: Content[]
}

function messageOf(row: Row, value: RawRow): Message | null {
  if (row.subtype === 'queued_command') {
    const text = blocksOf(value.attachment?.prompt ?? '')
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('\n')
    return { role: 'user', id: null, blocks: [{ type: 'text', text: `${WHILE_WORKING}${text}` }] }
  }
  if (row.subtype === 'local_command')
    return { role: 'user', id: null, blocks: blocksOf(value.content ?? '') }
  // The agent shows its own errors to the user, not to the model.
  if ((row.type !== 'user' && row.type !== 'assistant') || value.isApiErrorMessage === true)
    return null
  return { role: row.type, id: row.messageId, blocks: blocksOf(value.message?.content ?? '') }
}

/** The rows of one answer become one message, even if a result is between them. */
function addMessage(messages: Message[], message: Message): void {
  for (const before of messages.toReversed()) {
    if (message.role === 'user' || message.id === null) break
    if (before.role === 'assistant') {
      if (before.id !== message.id) break
      before.blocks.push(...message.blocks)
      return
    }
    if (before.blocks.some(({ type }) => type !== 'tool_result')) break
  }
  messages.push(message)
}

/**
 * Each result follows the answer that called for it, once; one right before it is moved. A call
 * without a result gets an error if the last turn is unfinished, and is dropped anywhere else.
 */
function repairCalls(messages: readonly Message[]): Message[] {
  const answered = new Set(messages.flatMap(({ blocks }) => blocks.flatMap(resultId)))
  const endsOpen = isOpenEnd(messages)
  const lastText = messages.findLastIndex(
    ({ role, blocks }) => role === 'user' && blocks.some(({ type }) => type !== 'tool_result'),
  )
  const called = new Set<string>()
  let early: Content[] = []
  return messages.flatMap((message, index) => {
    if (message.role === 'user') {
      const blocks = message.blocks.filter((block) => {
        const isEarly = resultId(block).some((id) => !called.delete(id))
        if (isEarly) early.push(block)
        return !isEarly
      })
      return [{ ...message, blocks }]
    }
    const isOpen = endsOpen && index > lastText
    const calls = message.blocks
      .filter((block) => block.type === 'tool_use')
      .filter(({ id }) => isOpen || answered.has(id))
    for (const { id } of calls) called.add(id)
    const texts = message.blocks.filter((block) => block.type !== 'tool_use')
    const moved = early.filter((block) => resultId(block).some((id) => called.delete(id)))
    early = []
    const results: Message = { role: 'user', id: null, blocks: moved }
    return [{ ...message, blocks: [...texts, ...calls] }, results]
  })
}

/** The last block is a tool call or its result. */
function isOpenEnd(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ blocks }) => blocks.length > 0)
  return last?.blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result') ?? false
}

/** Whether rows of one answer are separated on the chain, which only a bridge by time causes. */
export function hasAnswersApart(chain: readonly Row[]): boolean {
  const closed = new Set<string>()
  let current: string | null = null
  for (const { type, messageId, toolResult } of chain) {
    if (type === 'assistant' && messageId !== null) {
      if (messageId !== current && closed.has(messageId)) return true
      current = messageId
      closed.add(messageId)
    } else if (type === 'user' && !toolResult) current = null
  }
  return false
}

function resultId(block: Content): string[] {
  return block.type === 'tool_result' ? [block.tool_use_id] : []
}

const WHILE_WORKING = 'The user sent a new message while you were working:\n'

function blocksOf(content: string | readonly Content[]): Content[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
}

/**
 * Empty for what the agent adds by itself. Thinking is left out, because the agent trims it freely.
 */
function lineOf(role: string, block: Content): string[] {
  switch (block.type) {
    case 'text': {
      const said = withoutReminders(block.text)
      return said === '' ? [] : [`${role}: ${said}`]
    }
    case 'tool_use':
      return [`${role}: call ${block.id}`]
    case 'tool_result':
      return block.is_error === true ? [] : [`${role}: result ${block.tool_use_id}`]
    case 'thinking':
      return []
    default:
      return [`${role}: (${(block as { type: string }).type})`]
  }
}

function withoutReminders(text: string): string {
  const rest = text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim()
  if (rest.startsWith(WHILE_WORKING))
    return `(while working) ${rest.slice(WHILE_WORKING.length).split('\n\nThis is')[0]}`
  // The agent wraps these in a reminder when it sends them.
  if (rest.startsWith('<task-notification>')) return ''
  // The agent's placeholders for removed content.
  if (rest === 'Tool loaded.' || rest === '(no content)') return ''
  return rest.startsWith('[Orphaned tool result removed') ? '' : rest
}
