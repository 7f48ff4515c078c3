import type { Disk } from '#disk'

/** A step of a conversation, as the agent that takes it wrote it down. */
export interface RecordedStep {
  readonly agent: string
  /** JSON that only this agent reads. */
  readonly step: unknown
  readonly bytes: Buffer | null
  /** How far the conversation is written once the step is done, by the agent's own measure. */
  readonly end: number
}

/** A step of a conversation, planned by its agent. */
export interface PlannedStep {
  /** What to write down of it; null when the conversation has changed since it was planned. */
  prepare(disk: Disk): RecordedStep | null
  /** Lays ready, durably, what the step needs; called once the operation is recorded. */
  stage?(disk: Disk): void
}

/** `partly`: only forward. `neither`: the agent went on, or its files were replaced. */
export type StepProgress = 'before' | 'partly' | 'after' | 'neither'

/** Takes recorded steps. The journal knows that a conversation moves; its agent knows how. */
export interface StepTaker {
  look(disk: Disk, step: RecordedStep): StepProgress
  /** Brings the step to its end from wherever it stands; twice is once. */
  perform(disk: Disk, step: RecordedStep): void
  /** Removes what was laid ready for a step that is not taken. */
  abandon(disk: Disk, step: RecordedStep): void
  /** Removes what the step left behind, once the operation is committed. */
  tidy(disk: Disk, step: RecordedStep): void
}
