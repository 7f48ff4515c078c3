import type { CanUseTool, PermissionResult, PermissionUpdate } from '@anthropic-ai/claude-agent-sdk'
import type { Approval, ApprovalAnswer } from '#timeline'
import type { Allowed } from '../../runner.ts'
import { aboutOf } from '../steps/index.ts'
import { askedBy } from '../steps/index.ts'
import { kindOfTool } from '../steps/index.ts'

export interface Approvals {
  readonly ask: CanUseTool
  /** False if this approval is no longer waiting. */
  answer(id: string, answer: ApprovalAnswer): boolean
  /** Denies everything that waits, and all later requests. */
  refuseAll(): void
  readonly allowed: Allowed
}

interface Waiting {
  readonly input: Record<string, unknown>
  readonly suggestions: readonly PermissionUpdate[]
  settle(result: PermissionResult): void
}

export function openApprovals(
  before: Allowed,
  emit: (event: Approval | { type: 'approval_answered'; id: string; allow: boolean }) => void,
): Approvals {
  const waiting = new Map<string, Waiting>()
  let allowed = before
  let closed = false

  const settle = (id: string, allow: boolean, result: PermissionResult): void => {
    const asked = waiting.get(id)
    if (asked === undefined) return
    waiting.delete(id)
    emit({ type: 'approval_answered', id, allow })
    asked.settle(result)
  }

  return {
    get allowed() {
      return allowed
    },
    ask: (tool, input, { toolUseID, signal, suggestions = [], title, decisionReason }) => {
      if (closed || signal.aborted) return Promise.resolve(NO)
      return new Promise((resolve) => {
        waiting.set(toolUseID, { input, suggestions, settle: resolve })
        // The agent withdraws its request when it is interrupted.
        signal.addEventListener('abort', () => settle(toolUseID, false, NO), { once: true })
        emit({
          type: 'approval',
          id: toolUseID,
          tool,
          kind: kindOfTool(tool),
          about: aboutOf(input),
          input,
          ...askedBy(tool, input),
          title: title ?? null,
          why: decisionReason ?? null,
          canAlways: suggestions.length > 0,
        })
      })
    },
    answer(id, answer) {
      const asked = waiting.get(id)
      if (asked === undefined) return false
      if (!answer.allow) {
        settle(id, false, { behavior: 'deny', message: answer.reason ?? NO.message })
        return true
      }
      // For this session only: the user's settings stay unchanged.
      const rules = answer.always === true ? asked.suggestions.map(forSession) : []
      allowed = addAllowed(allowed, rules)
      settle(id, true, {
        behavior: 'allow',
        updatedInput: asked.input,
        updatedPermissions: rules,
      })
      return true
    },
    refuseAll() {
      closed = true
      for (const id of waiting.keys()) settle(id, false, { ...NO, interrupt: true })
    },
  }
}

const NO = { behavior: 'deny', message: 'The user said no.' } as const

function forSession(update: PermissionUpdate): PermissionUpdate {
  return { ...update, destination: 'session' }
}

function addAllowed(before: Allowed, updates: readonly PermissionUpdate[]): Allowed {
  const tools = updates.flatMap((update) =>
    update.type === 'addRules' && update.behavior === 'allow'
      ? update.rules.map(({ toolName, ruleContent }) =>
          ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
        )
      : [],
  )
  const mode = updates.findLast((update) => update.type === 'setMode')?.mode ?? before.mode
  return { tools: [...new Set([...before.tools, ...tools])], mode }
}
