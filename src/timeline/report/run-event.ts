import type { FailureCode } from '#failure'
import type { StepKind } from '../data/index.ts'
import type { DiffHunk } from '../text/index.ts'

/**
 * What a running turn tells, as it happens. Texts come in pieces; a step's result can come after
 * the next step began.
 */
export type RunEvent =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly by: string | null }
  | {
      readonly type: 'tool'
      readonly id: string
      readonly tool: string
      /** What it is about, on one line: a path, a command. */
      readonly about: string
      readonly input: unknown
      /** The step of the subagent that calls; null for the agent itself. */
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
  /** The model could not be reached; the agent tries again by itself. */
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
  /** What an edit replaces; `old` is null where it writes the whole file. */
  readonly pieces?: readonly { readonly old: string | null; readonly new: string }[]
  /** What it would change in its file, against what is there now; absent where that is not known. */
  readonly hunks?: readonly DiffHunk[]
  /** The agent's own sentence for it, where it has one. */
  readonly title: string | null
  readonly why: string | null
  /** "Always" can be answered; for some calls the agent does not want that. */
  readonly canAlways: boolean
}

export type ApprovalAnswer =
  | { readonly allow: true; readonly always?: boolean }
  | { readonly allow: false; readonly reason?: string }

/** `failed`: the model or the agent gave up; what was done until then is in the transcript. */
export type RunOutcome = 'done' | 'interrupted' | 'failed'
