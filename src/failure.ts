import type { FailureCode } from './failure-codes.ts'

export type { FailureCode } from './failure-codes.ts'

/**
 * The one error type for broken promises. Expected outcomes ("nothing to undo", a conflict) are
 * values; a Failure means that what was asked for cannot be done.
 *
 * `code` is stable and is what scripts match on. `message` is in a user's words, `hint` says what
 * to do next, `details` are facts for programs, `cause` is the underlying error for logs.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: FailureCode,
    message: string,
    more: { hint?: string; cause?: unknown; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.hint = more.hint
    this.details = more.details
  }
}
