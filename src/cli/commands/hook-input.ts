/** The fields of a hook's JSON input that Retake needs. */
export interface HookInput {
  readonly session: string
  readonly cwd: string
  readonly prompt: string
  /** Null with old versions of the agent. */
  readonly promptId: string | null
}
