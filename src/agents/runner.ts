import type { ApprovalAnswer, RunEvent, RunOutcome } from '#timeline'
import type { PromptImage } from './open-session.ts'

/** Runs turns: sends a prompt, asks for approvals, can be stopped. */
export interface Runner {
  start(request: RunRequest): AgentRun
  /** What an editing call that has not run yet would make of its file; null where that is unknown. */
  preview(
    call: { readonly id: string; readonly tool: string; readonly input: unknown },
    cwd: string,
    /** Undefined: it could not be read. */
    read: (path: string) => string | null | undefined,
  ): { before: string; after: string } | null
  /** Null where the agent cannot be closed and opened again in the user's terminal. */
  readonly supervise: Supervise | null
  /** What `doctor` says when turns can be run. */
  readonly ready: string
  /** Null when turns can be run; else what is missing, and what to do. */
  missing(): Promise<{ readonly what: string; readonly hint: string } | null>
}

/** How an agent that the user works in is closed, and opened again at another turn. */
export interface Supervise {
  /**
   * The arguments that open a session again, given those that the user started the agent with;
   * null where these open no session of this terminal. `prefill` stands in the input box, unsent.
   */
  restart(
    given: readonly string[],
    next: { readonly session: string; readonly prefill: string | null },
  ): readonly string[] | null
}

export interface RunRequest {
  /** The session to continue from its head, or the id that a new one gets. */
  readonly session: string
  readonly isNew: boolean
  readonly project: string
  readonly prompt: string
  readonly images: readonly PromptImage[]
  /** The id that the prompt's row gets, and so the turn. */
  readonly turn: string
  readonly model: string | null
  readonly permissionMode: string | null
  readonly allowed: Allowed
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The agent's program, where it is not the one that comes with the package. */
  readonly executable: string | null
  tell(event: RunEvent): void
  /** Called before and after each step that may write; the agent waits for it. */
  onStep(step: RunStep): void
}

/** What the user allowed for the rest of a session. */
export interface Allowed {
  readonly tools: readonly string[]
  readonly mode: string | null
}

export interface RunStep {
  readonly id: string
  readonly when: 'before' | 'after'
  /** What it wrote is in the transcript, if it comes to its end. */
  readonly isRecorded: boolean
}

/** One turn of the agent, in a process that ends with it. */
export interface AgentRun {
  /** Settles after the process has ended: from then on nothing of the turn can be written. */
  readonly ended: Promise<{ readonly outcome: RunOutcome; readonly allowed: Allowed }>
  answer(id: string, answer: ApprovalAnswer): boolean
  /** From this call on nothing more is told, and everything the agent asks is answered no. */
  stop(): void
}
