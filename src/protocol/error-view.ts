import { wordRemedy, type Act, type Remedy, type Wording } from '#failure'

export interface ErrorView {
  schema: 'retake.error/1'
  code: string
  message: string
  hint?: string
  /** The hint as data, if it contains acts: each surface words them in its own way. */
  remedy?: readonly (string | Act)[]
  /** Facts for programs: what changed, which files. */
  details?: Readonly<Record<string, unknown>>
}

export function errorView(
  error: {
    code: string
    message: string
    hint: Remedy | undefined
    details?: Readonly<Record<string, unknown>> | undefined
  },
  wording: Wording,
): ErrorView {
  const { code, message, hint, details } = error
  return {
    schema: 'retake.error/1',
    code,
    message,
    ...hintView(hint, wording),
    ...(details === undefined ? {} : { details }),
  }
}

/** What to do next: as text, and as data if it contains acts. */
export function hintView(
  hint: Remedy | undefined,
  wording: Wording,
): Pick<ErrorView, 'hint' | 'remedy'> {
  if (hint === undefined) return {}
  const words = { hint: wordRemedy(hint, wording) }
  return typeof hint === 'string' ? words : { ...words, remedy: hint }
}
