import type { Disk } from '#disk'

/** A step of a conversation, as its agent recorded it. */
export interface RecordedStep {
  readonly agent: string
  /** JSON that only this agent understands. */
  readonly step: unknown
  readonly bytes: Buffer | null
  /** The end of the conversation after the step, in the agent's own unit. */
  readonly end: number
}

/** A step of a conversation, planned by its agent. */
export interface PlannedStep {
  /** The record of the step; null if the conversation changed since it was planned. */
  prepare(disk: Disk): RecordedStep | null
  /** Durably stages what the step needs. Called after the operation is recorded. */
  stage?(disk: Disk): void
}

/** `partly`: can only be completed. `neither`: the agent continued, or its files were replaced. */
export type StepProgress = 'before' | 'partly' | 'after' | 'neither'

/** Executes recorded steps. The journal knows that a conversation moves; its agent knows how. */
export interface StepRunner {
  progress(disk: Disk, step: RecordedStep): StepProgress
  /** Completes the step from any state. Idempotent. */
  perform(disk: Disk, step: RecordedStep): void
  /** Removes what was staged for a step that is not taken. */
  abandon(disk: Disk, step: RecordedStep): void
  /** Removes leftovers of the step after the operation is committed. */
  tidy(disk: Disk, step: RecordedStep): void
}
