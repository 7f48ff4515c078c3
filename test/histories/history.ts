/**
 * One step of a turn. A Bash step is a list of commands, so that shrinking can drop some of them.
 */
export type Step =
  | {
      readonly bash: readonly string[]
      /** Retake also scans the files after this many commands, in the middle of the step. */
      readonly peek?: number
    }
  | { readonly write: string; readonly text: string }
  | { readonly edit: string; readonly old: string; readonly new: string }

/** An operation of Retake. Turns are named by their prompts: `T1`, `T2` … in order. */
export type Verb =
  | { readonly do: 'undo'; readonly count: number }
  | { readonly do: 'redo'; readonly count: number }
  | { readonly do: 'rewind'; readonly to: string | null }
  | { readonly do: 'exact'; readonly to: string }
  | { readonly do: 'switch'; readonly to: string }
  | { readonly do: 'revert'; readonly turn: string; readonly off: boolean }
  | { readonly do: 'restore'; readonly path: string; readonly at: string }
  /** Reverts the changes that the turns of the line made to one file. */
  | { readonly do: 'revert-files'; readonly path: string }
  | { readonly do: 'op-undo' }

export type Act =
  | {
      readonly do: 'turn'
      readonly prompt: string
      readonly steps: readonly Step[]
      /**
       * The agent's own rewind comes first (Esc Esc, code and conversation): it reverts what its
       * tools wrote after this turn, and the new prompt continues from there.
       */
      readonly rewoundTo?: string
    }
  | (Verb & { readonly only?: 'files'; readonly onConflict?: 'keep-mine' | 'put-back' })
  /** A user saves a file that no turn touches; it must stay as it is. */
  | { readonly do: 'user'; readonly text: string }

/** Rewinds to the end of a turn, past the turns after it. */
export interface AgentRewind {
  readonly to: string
  readonly passed: readonly string[]
}

export type Operation = Exclude<Act, { do: 'turn' | 'user' }>

export type Outcome =
  | {
      readonly kind: 'done'
      /** The paths that the receipt lists as changed. */
      readonly written: readonly string[]
      /** Files that the plan left out, with the reason. */
      readonly left: readonly string[]
      readonly beforeFirst: boolean
      /** The user chose in a conflict, so the files now match no turn. */
      readonly hasChosen: boolean
    }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      /** The files in conflict. */
      readonly files: readonly string[]
    }

/** A project with one session, and Retake on it. */
export interface HistoryWorld extends AsyncDisposable {
  readonly project: string
  turn(prompt: string, steps: readonly Step[], rewind?: AgentRewind): Promise<void>
  /** Whether this world's agent can rewind. */
  readonly rewinds: boolean
  operate(operation: Operation): Promise<Outcome>
  /** The prompts of the current line, and how many of them are up to the head. */
  line(): Promise<{ readonly prompts: readonly string[]; readonly head: number }>
}
