interface Erased {
  readonly contents: readonly { readonly packed: number }[]
  readonly operations: readonly number[]
}

interface ErasedView {
  dryRun: boolean
  contents: number
  bytes: number
  /** Operations that can no longer be undone. */
  operations: number[]
}

/** Retake's copies of a branch, permanently erased. */
export interface ForgetView extends ErasedView {
  schema: 'retake.forget/1'
  session: string
  branch: { id: string; label: string }
  turns: number
  /** The agent's own file, which still has the text. */
  transcript: string
}

/** Every content of a path, permanently erased. */
export interface PurgeView extends ErasedView {
  schema: 'retake.purge/1'
  path: string
}

export function forgetView(
  report: Erased & Pick<ForgetView, 'session' | 'branch' | 'turns' | 'transcript'>,
  { dryRun }: { dryRun: boolean },
): ForgetView {
  const { session, branch, turns, transcript } = report
  return {
    schema: 'retake.forget/1',
    ...erasedView(report, dryRun),
    session,
    branch: { ...branch },
    turns,
    transcript,
  }
}

export function purgeView(
  path: string,
  erased: Erased,
  { dryRun }: { dryRun: boolean },
): PurgeView {
  return { schema: 'retake.purge/1', path, ...erasedView(erased, dryRun) }
}

function erasedView({ contents, operations }: Erased, dryRun: boolean): ErasedView {
  return {
    dryRun,
    contents: contents.length,
    bytes: contents.reduce((sum, { packed }) => sum + packed, 0),
    operations: [...operations],
  }
}
