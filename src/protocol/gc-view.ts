interface Amount {
  contents: number
  bytes: number
}

/** What `retake gc` did, or would do. */
export interface GcView {
  schema: 'retake.gc/1'
  project: string
  dryRun: boolean
  /** The number of days for which operations can be undone. */
  retention: number
  graceDays: number
  /** Put aside, because nothing that is kept needs them. */
  aside: Amount
  /** Permanently deleted. */
  deleted: Amount
  /** Operations that can no longer be undone. */
  operations: { id: number; verb: string; at: string }[]
}

interface Kept {
  readonly packed: number
}

export function gcView(
  plan: {
    readonly retention: number
    readonly aside: readonly Kept[]
    readonly drop: readonly Kept[]
    readonly operations: readonly {
      readonly id: number
      readonly verb: string
      readonly at: string
    }[]
  },
  { project, dryRun, graceDays }: { project: string; dryRun: boolean; graceDays: number },
): GcView {
  return {
    schema: 'retake.gc/1',
    project,
    dryRun,
    retention: plan.retention,
    graceDays,
    aside: amountOf(plan.aside),
    deleted: amountOf(plan.drop),
    operations: [...plan.operations],
  }
}

function amountOf(contents: readonly Kept[]): Amount {
  const bytes = contents.reduce((sum, { packed }) => sum + packed, 0)
  return { contents: contents.length, bytes }
}
