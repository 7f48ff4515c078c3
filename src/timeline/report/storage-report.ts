interface Amount {
  readonly contents: number
  readonly bytes: number
}

/** The size of what Retake stores, in bytes, and what can be deleted. */
export interface StorageReport {
  readonly all: number
  readonly transcripts: number
  readonly quota: number
  readonly level: string
  /** The number of days for which set-aside contents are kept. */
  readonly graceDays: number
  readonly projects: readonly {
    readonly key: string
    readonly path: string
    readonly bytes: number
    readonly collectable: {
      /** Identifies this clean-up. If it has changed meanwhile, it is not carried out. */
      readonly plan: string
      /** Set aside first. A later clean-up deletes it for good. */
      readonly aside: Amount
      readonly deleted: Amount
      /** Already set aside, and may be deleted from this time on. */
      readonly waiting: Amount & { readonly from: string | null }
      /** The number of operations that can no longer be undone afterwards. */
      readonly operations: number
    } | null
  }[]
}
