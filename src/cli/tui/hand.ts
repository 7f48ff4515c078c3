import type { PlannedOperation, Project } from '#engine'
import type { Command } from '#protocol'
import type { ApprovalAnswer, Progress, ReceiptReport, RunEvent } from '#timeline'

/**
 * Who carries things out and runs the agent: the server where there is one, else this process.
 * What is shown is read by this process in both cases, from the files that both read.
 */
export interface Hand extends AsyncDisposable {
  /** False when the server went: what is asked next is asked of another. */
  readonly isThere: boolean
  /** Carries out exactly the plan that was shown, or nothing. */
  apply(project: Project, shown: ShownPlan, watching: Watching): Promise<ReceiptReport>
  /** Starts a turn; answers with its session once that is known. */
  converse(asked: Prompted, follow: Follow): Promise<string>
  answer(approval: string, answer: ApprovalAnswer): Promise<void>
  stop(session: string): Promise<void>
}

/** Who waits for a plan to be carried out hears how far it is, and can stop it. */
export interface Watching {
  readonly signal: AbortSignal
  readonly progress: (progress: Progress) => void
}

/** A plan with the choices that were made, and the id that it had without them. */
export interface ShownPlan {
  readonly command: Command
  readonly planned: PlannedOperation
  readonly plainId: string
}

export interface Prompted {
  readonly session: string | null
  /** Where a new session begins. */
  readonly project: string
  readonly prompt: string
}

/** Who follows a turn as it happens. */
export interface Follow {
  readonly onEvent: (event: RunEvent) => void
  /** The last that is heard of it; with what went wrong, if something did. */
  readonly onEnd: (error?: unknown) => void
}
