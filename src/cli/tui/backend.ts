import type { PlannedOperation, Project } from '#engine'
import type { Command } from '#protocol'
import type { ApprovalAnswer, Progress, ReceiptReport, RunEvent } from '#timeline'

/**
 * Applies plans and runs the agent: through the server if one is running, else in this process.
 * Either way this process reads what it shows itself, from the same files.
 */
export interface Backend extends AsyncDisposable {
  /** False once the server is gone; the next request must find another backend. */
  readonly isThere: boolean
  /** Applies exactly the plan that was shown, or nothing. */
  apply(project: Project, shown: ShownPlan, watching: Watching): Promise<ReceiptReport>
  /** Starts a turn; resolves with the session once it is known. */
  converse(asked: PromptRequest, follow: Follow): Promise<string>
  answer(approval: string, answer: ApprovalAnswer): Promise<void>
  stop(session: string): Promise<void>
}

/** Progress and cancellation of a plan being applied. */
export interface Watching {
  readonly signal: AbortSignal
  readonly progress: (progress: Progress) => void
}

/** A plan with the user's choices, and the id it had before them. */
export interface ShownPlan {
  readonly command: Command
  readonly planned: PlannedOperation
  readonly plainId: string
}

export interface PromptRequest {
  readonly session: string | null
  /** The directory for a new session. */
  readonly project: string
  readonly prompt: string
}

/** Callbacks for a running turn. */
export interface Follow {
  readonly onEvent: (event: RunEvent) => void
  /** Called last; with the error if the turn failed. */
  readonly onEnd: (error?: unknown) => void
}
