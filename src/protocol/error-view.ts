export interface ErrorView {
  schema: 'retake.error/1'
  code: string
  message: string
  hint?: string
}

export function errorView(error: {
  code: string
  message: string
  hint: string | undefined
}): ErrorView {
  const { code, message, hint } = error
  return { schema: 'retake.error/1', code, message, ...(hint === undefined ? {} : { hint }) }
}
