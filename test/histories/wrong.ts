type Kind = 'tree' | 'mine' | 'conflict' | `refused ${string}` | 'receipt' | 'left' | 'head'

/** A violated expectation, and its kind. */
export class Wrong extends Error {
  readonly kind: Kind

  constructor(kind: Kind, message: string) {
    super(message)
    this.kind = kind
    this.name = `Wrong ${kind}`
  }
}
