import type { FailureCode } from './failure-codes.ts'
import type { Remedy } from './remedy.ts'

export type { FailureCode } from './failure-codes.ts'
export {
  add,
  choose,
  drop,
  remedy,
  command,
  wordRemedy,
  type Act,
  type Option,
  type Remedy,
  type Verb,
  type Wording,
} from './remedy.ts'

/**
 * The one error type for broken promises. Expected outcomes ("nothing to undo", a conflict) are
 * values; a Failure means that what was asked for cannot be done.
 *
 * Scripts match on `code`, which is stable. `message` says what happened; `hint` says what to do, and
 * each surface words its acts. `details` are facts for programs, `cause` is the error for logs.
 */
export class Failure extends Error {
  readonly code: FailureCode
  readonly hint: Remedy | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: FailureCode,
    message: string,
    more: { hint?: Remedy; cause?: unknown; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.hint = more.hint
    this.details = more.details
  }
}
