/** How far an operation is. Until `finishing` it can be stopped, and everything is as it was. */
export interface Progress {
  readonly phase: ProgressPhase
  /** Files, of all that the operation touches. */
  readonly done: number
  readonly total: number
}

export type ProgressPhase =
  | 'waiting' // somebody else is changing the project
  | 'checking' // is the world still the one that the plan was made against?
  | 'keeping' // what stands there now goes into the store
  | 'preparing' // every new file is laid ready
  | 'changing'
  | 'finishing' // there is no way back any more, only forward
