interface Amount {
  readonly contents: number
  readonly bytes: number
}

/** What Retake keeps on the disk, in bytes, and what could go. */
export interface StorageReport {
  readonly all: number
  readonly transcripts: number
  readonly quota: number
  readonly level: string
  /** Days for which what was put aside can still be found. */
  readonly graceDays: number
  readonly projects: readonly {
    readonly key: string
    readonly path: string
    readonly bytes: number
    readonly collectable: {
      /** Names this very clean-up: what is not the same any more is not carried out. */
      readonly plan: string
      /** Put aside first; deleted for good by a later clean-up. */
      readonly aside: Amount
      readonly deleted: Amount
      /** Lies aside, and may be deleted from this moment on. */
      readonly waiting: Amount & { readonly from: string | null }
      /** How many operations cannot be undone any more afterwards. */
      readonly operations: number
    } | null
  }[]
}
