type Kind = 'tree' | 'mine' | 'conflict' | `refused ${string}` | 'receipt' | 'left' | 'head'

/** What went wrong, and how. */
export class Wrong extends Error {
  readonly kind: Kind

  constructor(kind: Kind, message: string) {
    super(message)
    this.kind = kind
    this.name = `Wrong ${kind}`
  }
}
