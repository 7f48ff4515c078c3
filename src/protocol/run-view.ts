import type { RunEvent } from '#timeline'

/** What a client hears while the agent runs. The first says what runs, the last is `turn_end`. */
export type RunEventView =
  | { type: 'started'; run: string; session: string; turn: string; prompt: string; queued: boolean }
  | RunEvent

export interface ConverseBody {
  prompt: string
  model?: string | undefined
  permissionMode?: string | undefined
}

export interface StartBody extends ConverseBody {
  /** Its id, from the list of projects. */
  project: string
}

export interface AbortView {
  schema: 'retake.abort/1'
  session: string
  /** False: nothing ran here. */
  stopped: boolean
  /** Prompts that waited and were never sent. */
  dropped: string[]
}

export interface ApprovalBody {
  allow: boolean
  /** For the rest of this session. */
  always?: boolean | undefined
  /** Why not; the agent hears it. */
  reason?: string | undefined
}

export interface ApprovalView {
  schema: 'retake.approval/1'
  approval: string
  allow: boolean
}

export interface ProjectsView {
  schema: 'retake.projects/1'
  projects: { id: string; path: string; sessions: number; updatedAt: string }[]
}
