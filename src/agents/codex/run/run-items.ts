import type { RunEvent, StepKind } from '#timeline'
import { objectOf, type Params } from './rpc.ts'

/** A step as the app server shows it: one item, when it begins and when it ends. */
export interface StepItem {
  readonly id: string
  readonly tool: string
  readonly kind: StepKind
  readonly about: string
  readonly input: unknown
  /** The whole command of a shell step. */
  readonly command: string | null
  /** The rollout records completely what it writes. */
  readonly isRecorded: boolean
  /** It may write files. */
  readonly mayWrite: boolean
}

/** Null for items that are no steps: messages, reasoning, and the prompt itself. */
export function readStep(item: Params): StepItem | null {
  const id = textOf(item['id'])
  const type = textOf(item['type'])
  if (id === '' || type === '') return null
  const step = { id, command: null, isRecorded: false, mayWrite: true }
  switch (type) {
    case 'commandExecution': {
      const command = unwrapped(textOf(item['command']))
      return { ...step, tool: 'Bash', kind: 'shell', about: command, input: { command }, command }
    }
    case 'fileChange': {
      const changes = listOf(item['changes'])
      const about = changes.map((change) => textOf(change['path'])).join(', ')
      const input = { changes }
      return { ...step, tool: 'apply_patch', kind: 'edit', about, input, isRecorded: true }
    }
    case 'mcpToolCall': {
      const tool = `mcp__${textOf(item['server'])}__${textOf(item['tool'])}`
      return { ...step, tool, kind: 'other', about: '', input: item['arguments'] ?? null }
    }
    case 'dynamicToolCall':
      return {
        ...step,
        tool: textOf(item['tool']),
        kind: 'other',
        about: '',
        input: item['arguments'] ?? null,
      }
    case 'webSearch': {
      const about = textOf(item['query'])
      return { ...step, tool: 'web_search', kind: 'web', about, input: null, mayWrite: false }
    }
    case 'imageView': {
      const about = textOf(item['path'])
      return { ...step, tool: 'view_image', kind: 'read', about, input: null, mayWrite: false }
    }
    case 'collabAgentToolCall': {
      const about = textOf(item['prompt'])
      return { ...step, tool: textOf(item['tool']), kind: 'agent', about, input: null }
    }
    default:
      return null
  }
}

export function toolEvent({ id, tool, about, input }: StepItem): RunEvent {
  return { type: 'tool', id, tool, about, input, by: null }
}

export function resultEvent(item: Params): RunEvent {
  const status = textOf(item['status'])
  const ok = status !== 'failed' && status !== 'declined' && item['success'] !== false
  return { type: 'tool_result', id: textOf(item['id']), ok, text: resultText(item), by: null }
}

function resultText(item: Params): string {
  const output = textOf(item['aggregatedOutput'])
  if (output !== '') return output
  const failure = textOf(objectOf(item['error'])['message'])
  if (failure !== '') return failure
  if (item['status'] === 'declined') return 'The user said no.'
  return listOf(objectOf(item['result'])['content'])
    .map((part) => textOf(part['text']))
    .join('')
}

/** The command without the shell that Codex runs it with. */
export function unwrapped(command: string): string {
  const script = /^\S*\/(?:ba|z|da)?sh -l?c ([^]*)$/.exec(command)?.[1]
  if (script === undefined) return command
  const single = /^'([^']*)'$/.exec(script)?.[1]
  if (single !== undefined) return single
  const double = /^"((?:[^"\\]|\\[^])*)"$/.exec(script)?.[1]
  if (double !== undefined) return double.replaceAll(/\\([$`"\\])/g, '$1')
  return /^[\w./-]+$/.test(script) ? script : command
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): Params[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}
