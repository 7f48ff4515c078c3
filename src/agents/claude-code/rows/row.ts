import type { Prompt } from './prompt.ts'

/**
 * One line of a transcript, as far as the reader needs it. Its place in the file identifies it:
 * agents write the same uuid twice, and a uuid from a file is only a label.
 */
export interface Row {
  /** Offset of the row's first byte. */
  readonly place: number
  readonly length: number
  readonly type: 'user' | 'assistant' | 'system' | 'attachment' | 'progress'
  /** The subtype of a system row (such as `compact_boundary`), or the kind of an attachment. */
  readonly subtype: string | null
  /** A label made from its place, if the row has none. */
  readonly uuid: string
  readonly parent: string | null
  /** On a damaged line: Retake reads it, the agent does not. Shown, never resumed at. */
  readonly skipped: boolean
  /** Written by a subagent into the main file. Never part of the conversation. */
  readonly sidechain: boolean
  readonly at: string | null
  /** One answer of the model is several rows with the same message id. */
  readonly messageId: string | null
  /** The id of the tool call that the row makes or answers. */
  readonly call: string | null
  /** The row carries a tool result; not a prompt, although its type is `user`. */
  readonly toolResult: boolean
  /** What a `user` row without tool results is; null for all other rows. */
  readonly prompt: Prompt | null
  readonly boundary: Boundary | null
  /** A prompt typed while the agent worked, and consumed without a turn of its own. */
  readonly absorbed: { readonly text: string; readonly at: string | null } | null
}

/** Where the agent replaced everything before with a summary. The old rows stay in the file. */
export interface Boundary {
  readonly logicalParent: string | null
  readonly trigger: string | null
  /** Rows from before the boundary that still reach the model, relinked after the anchor. */
  readonly preserved: { readonly anchor: string; readonly uuids: readonly string[] } | null
  /** An older form: the rows from `tail` up to `head`. */
  readonly segment: { readonly anchor: string; readonly head: string; readonly tail: string } | null
}

/** A `last-prompt` row: where the agent says it would continue. */
export interface Pointer {
  readonly place: number
  readonly length: number
  /** Null together with `explicit` empties the conversation. */
  readonly leaf: string | null
  readonly explicit: boolean
}

/** A row of the agent's own checkpoints; only its place is kept until it is needed. */
export interface CheckpointRow {
  readonly place: number
  readonly length: number
}

/** A title of the session. The newest of a kind counts. */
export interface Title {
  readonly place: number
  readonly length: number
  readonly kind: 'custom' | 'generated' | 'summary'
  readonly text: string
}
