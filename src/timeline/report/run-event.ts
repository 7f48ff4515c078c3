import type { FailureCode } from '#failure'
import type { StepKind } from '../data/index.ts'
import type { DiffHunk } from '../text/index.ts'

/**
 * The events of a running turn. Texts arrive in pieces, and a step's result may arrive after the
 * next step began.
 */
export type RunEvent =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly by: string | null }
  | {
      readonly type: 'tool'
      readonly id: string
      readonly tool: string
      /** Its subject on one line: a path, a command. */
      readonly about: string
      readonly input: unknown
      /** The step of the calling subagent. Null for the agent itself. */
      readonly by: string | null
    }
  | {
      readonly type: 'tool_result'
      readonly id: string
      readonly ok: boolean
      readonly text: string
      readonly by: string | null
    }
  | Approval
  | { readonly type: 'approval_answered'; readonly id: string; readonly allow: boolean }
  /** The model could not be reached; the agent retries by itself. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly attempts: number
      readonly waitMs: number
      readonly status: number | null
    }
  | { readonly type: 'error' | 'notice'; readonly code: FailureCode; readonly message: string }
  | { readonly type: 'turn_end'; readonly outcome: RunOutcome }

/** The agent waits for an answer before it does this. */
export interface Approval {
  readonly type: 'approval'
  readonly id: string
  readonly tool: string
  readonly kind: StepKind
  readonly about: string
  readonly input: unknown
  /** The whole command of a shell step. */
  readonly command?: string
  /** What an edit replaces. `old` is null if it writes the whole file. */
  readonly pieces?: readonly { readonly old: string | null; readonly new: string }[]
  /** The changes it would make to the present file. Missing if unknown. */
  readonly hunks?: readonly DiffHunk[]
  /** The agent's own description, if it has one. */
  readonly title: string | null
  readonly why: string | null
  /** Whether "always" is a possible answer. The agent does not offer it for every call. */
  readonly canAlways: boolean
}

export type ApprovalAnswer =
  | { readonly allow: true; readonly always?: boolean }
  | { readonly allow: false; readonly reason?: string }

/** `failed`: the model or the agent gave up. What was done until then is in the transcript. */
export type RunOutcome = 'done' | 'interrupted' | 'failed'
