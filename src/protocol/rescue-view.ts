/** A session that was restored, or would be. */
export interface RescueView {
  schema: 'retake.rescue/1'
  dryRun: boolean
  session: string
  /** The id of the restored session. */
  newSession: string
  title: string
  project: string | null
  bytes: number
  files: string[]
}

export function rescueView(
  plan: {
    readonly session: string
    readonly newSession: string
    readonly title: string
    readonly project: string | null
    readonly bytes: number
    readonly files: readonly { readonly to: string }[]
  },
  { dryRun }: { dryRun: boolean },
): RescueView {
  const { session, newSession, title, project, bytes, files } = plan
  return {
    schema: 'retake.rescue/1',
    dryRun,
    session,
    newSession,
    title,
    project,
    bytes,
    files: files.map(({ to }) => to),
  }
}
