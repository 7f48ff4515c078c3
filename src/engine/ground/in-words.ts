import { errnoOf, writeFailure } from '#disk'

/**
 * Converts a system error into a failure that names the path. A plain error would look like a bug
 * in Retake, and would not say what to fix.
 */
export function inWords(error: unknown): unknown {
  if (errnoOf(error) === undefined) return error
  const { path } = error as { path?: unknown }
  return writeFailure(error, typeof path === 'string' ? path : 'What Retake needs')
}
