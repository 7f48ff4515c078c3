import type { Approval, ApprovalAnswer, RunEvent } from '#timeline'
import type { Allowed } from '../../runner.ts'
import { listOf, textOf, unwrapped, type StepItem } from './run-items.ts'
import { objectOf, type Params } from './rpc.ts'

export interface Approvals {
  /** False if Retake cannot ask the user about this request. */
  ask(request: AskedRequest): boolean
  /** False if this approval is no longer waiting. */
  answer(id: string, answer: ApprovalAnswer): boolean
  /** Denies everything that waits, and all later requests. */
  refuseAll(): void
  readonly allowed: Allowed
}

export interface AskedRequest {
  readonly method: string
  readonly params: Params
  /** The step that waits, if its start was reported. */
  readonly step: StepItem | null
  readonly reply: (result: Params) => void
}

/** How to answer one kind of request. */
interface Replies {
  readonly yes: Params
  readonly no: Params
  /** Also ends the turn, where the request supports it. */
  readonly stop: Params
  /** What a later turn may do without asking; null if "always" is no possible answer. */
  readonly always: { readonly reply: Params; readonly rule: string } | null
}

interface Waiting {
  readonly replies: Replies
  readonly reply: AskedRequest['reply']
}

export function openApprovals(before: Allowed, emit: (event: RunEvent) => void): Approvals {
  const waiting = new Map<string, Waiting>()
  const rules = new Set(before.tools)
  let closed = false
  const settle = (id: string, allow: boolean, result: Params): void => {
    const asked = waiting.get(id)!
    waiting.delete(id)
    emit({ type: 'approval_answered', id, allow })
    asked.reply(result)
  }
  return {
    get allowed() {
      return { tools: [...rules], mode: before.mode }
    },
    ask(request) {
      const replies = repliesTo(request)
      if (replies === null) return false
      const { always, yes, stop } = replies
      if (closed) request.reply(stop)
      // Codex forgets what was allowed for the session with each process.
      else if (always !== null && rules.has(always.rule)) request.reply(yes)
      else {
        const approval = approvalOf(request, always !== null)
        waiting.set(approval.id, { replies, reply: request.reply })
        emit(approval)
      }
      return true
    },
    answer(id, answer) {
      const asked = waiting.get(id)
      if (asked === undefined) return false
      const { yes, no, always } = asked.replies
      if (!answer.allow) settle(id, false, no)
      else if (answer.always === true && always !== null) {
        rules.add(always.rule)
        settle(id, true, always.reply)
      } else settle(id, true, yes)
      return true
    },
    refuseAll() {
      closed = true
      for (const [id, { replies }] of waiting) settle(id, false, replies.stop)
    },
  }
}

function approvalOf(
  { method, params, step }: AskedRequest,
  canAlways: boolean,
): Extract<RunEvent, { type: 'approval' }> {
  const command = unwrapped(textOf(params['command'])) || (step?.command ?? '')
  const approval = {
    type: 'approval' as const,
    id: textOf(params['approvalId']) || textOf(params['itemId']) || String(params['serverName']),
    tool: step?.tool ?? TOOLS[method] ?? method,
    kind: step?.kind ?? 'other',
    about: command || (step?.about ?? ''),
    input: step?.input ?? null,
    title: textOf(params['message']) || null,
    why: textOf(params['reason']) || null,
    canAlways,
  }
  if (command !== '') return { ...approval, tool: 'Bash', kind: 'shell', command }
  const pieces = piecesOf(step)
  return pieces === null ? approval : { ...approval, pieces }
}

const TOOLS: Readonly<Record<string, string>> = {
  'item/permissions/requestApproval': 'request_permissions',
  'mcpServer/elicitation/request': 'mcp',
}

function piecesOf(step: StepItem | null): NonNullable<Approval['pieces']> | null {
  if (step?.kind !== 'edit') return null
  return listOf(objectOf(step.input)['changes']).flatMap(
    (change): NonNullable<Approval['pieces']> => {
      const diff = textOf(change['diff'])
      if (objectOf(change['kind'])['type'] === 'add') return [{ old: null, new: diff }]
      return piecesOfDiff(diff)
    },
  )
}

/** Each part of a unified diff, as the lines that it replaces and the lines that replace them. */
export function piecesOfDiff(diff: string): { old: string; new: string }[] {
  const parts = diff.split(/^@@.*\n/m).slice(1)
  const side = (part: string, sign: string): string =>
    part
      .split('\n')
      .flatMap((line) => (line.startsWith(sign) || line.startsWith(' ') ? [line.slice(1)] : []))
      .join('\n')
  return parts.map((part) => ({ old: side(part, '-'), new: side(part, '+') }))
}

function repliesTo({ method, params, step }: AskedRequest): Replies | null {
  switch (method) {
    case 'item/commandExecution/requestApproval': {
      const command = textOf(params['command'])
      return decisions(command === '' ? null : `command ${command}`)
    }
    case 'item/fileChange/requestApproval':
      return decisions(step === null || step.about === '' ? null : `edit ${step.about}`)
    case 'item/permissions/requestApproval': {
      const { permissions } = params
      const none = { permissions: {}, scope: 'turn' }
      const yes = { permissions, scope: 'turn' }
      return { yes, no: none, stop: none, always: null }
    }
    case 'mcpServer/elicitation/request': {
      // A form that wants text cannot be shown.
      const fields = Object.keys(objectOf(objectOf(params['requestedSchema'])['properties']))
      if (textOf(params['mode']) !== 'form' || fields.length > 0) return null
      const reply = (action: string, content: object | null): Params => ({
        action,
        content,
        _meta: null,
      })
      const no = reply('decline', null)
      return { yes: reply('accept', {}), no, stop: reply('cancel', null), always: null }
    }
    default:
      return null
  }
}

function decisions(rule: string | null): Replies {
  return {
    yes: { decision: 'accept' },
    no: { decision: 'decline' },
    stop: { decision: 'cancel' },
    always: rule === null ? null : { reply: { decision: 'acceptForSession' }, rule },
  }
}
