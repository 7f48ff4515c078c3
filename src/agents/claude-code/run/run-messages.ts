import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import type { RunEvent, RunOutcome } from '#timeline'
import { aboutOf } from '../steps/index.ts'

/** Turns a message of the agent's process into events for the user; most produce none. */
export function readMessage(message: SDKMessage): RunEvent[] {
  if (message.type === 'stream_event') return readDelta(message)
  if (message.type === 'assistant') return readAnswer(message)
  if (message.type === 'user') return readResults(message)
  if (message.type !== 'system' || message.subtype !== 'api_retry') return []
  const { attempt, max_retries: attempts, retry_delay_ms: waitMs, error_status: status } = message
  return [{ type: 'retry', attempt, attempts, waitMs, status }]
}

interface Ending {
  readonly outcome: RunOutcome
  readonly errors: readonly string[]
  /** The whole answer. For a slash command, it is the only output. */
  readonly answer: string
}

/** How the turn ended, if this message says so. */
export function readOutcome(message: SDKMessage): Ending | null {
  if (message.type !== 'result') return null
  if (message.subtype === 'success')
    return message.is_error
      ? { outcome: 'failed', errors: [message.result], answer: '' }
      : { outcome: 'done', errors: [], answer: message.result }
  return { outcome: 'failed', errors: message.errors, answer: '' }
}

type Of<T extends SDKMessage['type']> = Extract<SDKMessage, { type: T }>

function readDelta({ event, parent_tool_use_id: by }: Of<'stream_event'>): RunEvent[] {
  if (event.type !== 'content_block_delta') return []
  const { delta } = event
  if (delta.type === 'text_delta') return [{ type: 'text', text: delta.text, by }]
  if (delta.type === 'thinking_delta') return [{ type: 'thinking', text: delta.thinking, by }]
  return []
}

/**
 * Texts of the agent itself have already arrived as deltas. Texts of a subagent, and the agent's
 * own text when the model did not answer, arrive complete.
 */
function readAnswer({ message, parent_tool_use_id: by, error }: Of<'assistant'>): RunEvent[] {
  const whole = by !== null || error !== undefined
  return message.content.flatMap((block): RunEvent[] => {
    if (block.type === 'tool_use') return [toolEvent(block, by)]
    if (whole && block.type === 'text') return [{ type: 'text', text: block.text, by }]
    return []
  })
}

function toolEvent(
  { id, name, input }: { id: string; name: string; input: unknown },
  by: string | null,
): RunEvent {
  return { type: 'tool', id, tool: name, about: aboutOf(input), input, by }
}

function readResults({ message, parent_tool_use_id: by }: Of<'user'>): RunEvent[] {
  const { content } = message
  if (typeof content === 'string') return []
  return content.flatMap((block): RunEvent[] =>
    block.type === 'tool_result'
      ? [
          {
            type: 'tool_result',
            id: block.tool_use_id,
            ok: block.is_error !== true,
            text: textOf(block.content),
            by,
          },
        ]
      : [],
  )
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      part.type === 'text' && typeof part.text === 'string' ? part.text : '',
    )
    .join('')
}
