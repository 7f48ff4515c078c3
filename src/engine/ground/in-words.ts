import { errnoOf, writeFailure } from '#disk'

/**
 * What the system refused, in words that name the path. A plain error that gets through to the
 * user looks like a bug of ours, and says nothing about what to mend.
 */
export function inWords(error: unknown): unknown {
  if (errnoOf(error) === undefined) return error
  const { path } = error as { path?: unknown }
  return writeFailure(error, typeof path === 'string' ? path : 'What Retake needs')
}
