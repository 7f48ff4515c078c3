/**
 * The progress of an operation. Before `finishing` it can be stopped, and everything is restored.
 */
export interface Progress {
  readonly phase: ProgressPhase
  /** Files that are done, out of `total`. */
  readonly done: number
  readonly total: number
}

export type ProgressPhase =
  | 'waiting' // another process is changing the project
  | 'checking' // are files and session still as planned?
  | 'keeping' // saving present contents in the store
  | 'preparing' // staging every new file
  | 'changing'
  | 'finishing' // it can no longer be stopped
