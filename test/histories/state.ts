/** Where the session stands: which turns are in the files. */
export interface State {
  readonly head: string | null
  readonly beforeFirst: boolean
  /** Where the files stand, if an operation moved them alone. */
  readonly files?: string
  readonly reverted: ReadonlySet<string>
}
