/** The prompt's uuid; with `@place` behind it where a file holds the same uuid twice. */
export type TurnId = string & { readonly brand: 'TurnId' }

/** A real user prompt and everything until the next one. */
export interface Turn {
  readonly id: TurnId
  /** The turn it continued from; null for the first, and for one whose parent is not in the file. */
  readonly parent: TurnId | null
  /**
   * `prompt` typed or sent, `command` a slash command that reached the model, `shell` a `!`
   * command; `orphan` is an answer whose prompt is not in the file.
   */
  readonly kind: 'prompt' | 'command' | 'shell' | 'orphan'
  readonly prompt: string
  readonly at: string | null
  /** Prompts the agent took in while it worked. */
  readonly absorbed: readonly Absorbed[]
  readonly interrupted: boolean
  /** Its parent is named but not in the file. */
  readonly parentMissing: boolean
  /** It leads to the head, and the agent knows it by a summary only. */
  readonly summarized: boolean
  /** The turn whose prompt the agent had before this one, kept without its answer. */
  readonly kept?: TurnId | null
}

export interface Absorbed {
  readonly text: string
  readonly at: string | null
}

/** A turn as people and programs name it. */
export interface TurnName {
  readonly id: TurnId
  readonly number: number | null
}
