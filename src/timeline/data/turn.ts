/** The prompt's uuid, with `@place` appended if a file has the same uuid twice. */
export type TurnId = string & { readonly brand: 'TurnId' }

/** A real user prompt and everything until the next one. */
export interface Turn {
  readonly id: TurnId
  /** The turn it continues. Null for the first turn, and if the parent is not in the file. */
  readonly parent: TurnId | null
  /**
   * `prompt`: typed or sent. `command`: a slash command that reached the model. `shell`: a `!`
   * command. `orphan`: an answer whose prompt is not in the file.
   */
  readonly kind: 'prompt' | 'command' | 'shell' | 'orphan'
  readonly prompt: string
  readonly at: string | null
  /** Prompts that the agent received while it worked. */
  readonly absorbed: readonly Absorbed[]
  readonly interrupted: boolean
  /** Its parent is named but not in the file. */
  readonly parentMissing: boolean
  /** It is on the path to the head, and the agent knows only a summary of it. */
  readonly summarized: boolean
  /** The turn whose prompt precedes this one without its answer. */
  readonly kept?: TurnId | null
}

export interface Absorbed {
  readonly text: string
  readonly at: string | null
}

/** How users and programs refer to a turn. */
export interface TurnName {
  readonly id: TurnId
  readonly number: number | null
}

/** Names the place before the first turn, wherever a turn can be named. */
export const START = '0'

export function isStart(named: string | number): boolean {
  return String(named) === START
}
