import type { RunEvent } from '#timeline'

/** Events while the agent runs. The first says what runs, the last is `turn_end`. */
export type RunEventView =
  | {
      type: 'started'
      run: string
      session: string
      turn: string
      prompt: string
      queued: boolean
      /** The run is over, and the events that follow are its log. */
      ended: boolean
    }
  | RunEvent

/** An image in a prompt. */
export interface ImageView {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  /** Base64. */
  data: string
}

/** The largest image that the model accepts, in bytes. */
export const MAX_IMAGE_BYTES = 3_750_000
export const MAX_IMAGES = 10

export interface ImagesView {
  schema: 'retake.images/1'
  session: string
  turn: string
  images: ImageView[]
}

export interface ConverseBody {
  /** May be empty if there are images. */
  prompt: string
  images?: ImageView[] | undefined
  model?: string | undefined
  permissionMode?: string | undefined
}

export interface StartBody extends ConverseBody {
  /** Its id in the list of projects. */
  project: string
  /** An agent's id; default: the agent of the project's newest session. */
  agent?: string | undefined
}

export interface AbortView {
  schema: 'retake.abort/1'
  session: string
  /** False if nothing was running. */
  stopped: boolean
  /** Queued prompts that were never sent. */
  dropped: string[]
}

export interface ApprovalBody {
  allow: boolean
  /** Applies to the rest of this session. */
  always?: boolean | undefined
  /** The reason for a denial; the agent receives it. */
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
