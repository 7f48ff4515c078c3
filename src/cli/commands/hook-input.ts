/** What the agent tells a hook, as far as Retake needs it. */
export interface HookInput {
  readonly session: string
  readonly cwd: string
  readonly prompt: string
  /** Old versions do not give prompts an id. */
  readonly promptId: string | null
}
