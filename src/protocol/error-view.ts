export interface ErrorView {
  schema: 'retake.error/1'
  code: string
  message: string
  hint?: string
  /** Facts for programs: what changed, which files. */
  details?: Readonly<Record<string, unknown>>
}

export function errorView(error: {
  code: string
  message: string
  hint: string | undefined
  details?: Readonly<Record<string, unknown>> | undefined
}): ErrorView {
  const { code, message, hint, details } = error
  return {
    schema: 'retake.error/1',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  }
}
