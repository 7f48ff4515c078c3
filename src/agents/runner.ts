import type { ApprovalAnswer, RunEvent, RunOutcome } from '#timeline'
import type { PromptImage } from './open-session.ts'

/** Runs turns: sends a prompt, asks for approvals, can be stopped. */
export interface Runner {
  start(request: RunRequest): AgentRun
  /** What a pending editing call would make of its file; null if unknown. */
  preview(
    call: { readonly id: string; readonly tool: string; readonly input: unknown },
    cwd: string,
    /** Undefined if it cannot be read. */
    read: (path: string) => string | null | undefined,
  ): { before: string; after: string } | null
  /** The agent chooses the id of a new session, and reports it with `onSession`. */
  readonly namesSessions: boolean
  /** Null if the agent cannot be closed and reopened in the user's terminal. */
  readonly supervise: Supervise | null
  /** The line `doctor` prints if turns can be run. */
  readonly ready: string
  /**
   * Null if turns can be run; otherwise what is missing, and what to do. `programs` are the
   * directories to search.
   */
  missing(
    programs: readonly string[],
  ): Promise<{ readonly what: string; readonly hint: string } | null>
}

/** How to close the agent that the user works in, and reopen it at another turn. */
export interface Supervise {
  /**
   * The arguments that reopen a session, given those that the user started the agent with; null
   * if these open no session in this terminal. `prefill` is put into the input box, unsent.
   */
  restart(given: readonly string[], next: Restart): readonly string[] | null
  /** What the user has chosen inside the session since then, in ms since 1970. */
  currentOptions(session: string, since: number): CurrentOptions
}

export interface Restart {
  readonly session: string
  readonly prefill: string | null
  /** Replaces what was given at the start. */
  readonly now?: CurrentOptions
}

/** Options that the user can change while the agent runs; null if unknown or unchanged. */
export interface CurrentOptions {
  readonly permissionMode: string | null
  readonly model: string | null
}

export interface RunRequest {
  /** The session to continue from its head, or the id of a new one. */
  readonly session: string
  readonly isNew: boolean
  readonly project: string
  readonly prompt: string
  readonly images: readonly PromptImage[]
  /** The id of the prompt's row, and so of the turn. */
  readonly turn: string
  readonly model: string | null
  readonly permissionMode: string | null
  readonly allowed: Allowed
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The agent's program, if not the one that comes with the package. */
  readonly executable: string | null
  tell(event: RunEvent): void
  /** Called with the id of a new session, if the agent chose it. */
  onSession(session: string): void
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
  /** The transcript records what it wrote, if it completes. */
  readonly isRecorded: boolean
  /** When it began or ended, in ms since 1970, if the agent does not wait for `onStep`. */
  readonly at?: number
}

/** One turn of the agent, in its own process. */
export interface AgentRun {
  /** Settles after the process has exited: from then on the turn cannot write anything. */
  readonly ended: Promise<{ readonly outcome: RunOutcome; readonly allowed: Allowed }>
  answer(id: string, answer: ApprovalAnswer): boolean
  /** From this call on, no events are sent, and every request for approval is denied. */
  stop(): void
}
