import { Failure } from '#failure'
import {
  diffValues,
  holdsSecrets,
  type Contents,
  type FileDiff,
  type Value,
  type ValueDiff,
} from '#timeline'

/** Whether somebody asked for the lines of files that may hold secrets (S14). */
export interface Reveal {
  readonly reveal: boolean
}

/** One path at two moments. */
interface Change {
  readonly path: string
  /** Where it stood before. */
  readonly from?: string
  readonly before: Value
  readonly after: Value
}

/**
 * What a file became, line by line. Every difference that is shown, printed or sent is made here: a
 * second place would be one where lines of a secret file get out unasked.
 */
export function diffFile(contents: Contents, change: Change, how: Reveal): FileDiff {
  const { path, from, before, after } = change
  if (isHidden(path, how) || (from !== undefined && isHidden(from, how)))
    return { path, diff: { kind: 'not-text' }, hidden: true }
  return { path, diff: diffOf(contents, before, after, { links: true }) }
}

export function isHidden(path: string, { reveal }: Reveal): boolean {
  return !reveal && holdsSecrets(path)
}

/** For who has made sure that the file is not hidden. What gc took is named, and not shown. */
export function diffOf(
  contents: Contents,
  from: Value,
  to: Value,
  how: { context?: number; links?: boolean } = {},
): ValueDiff {
  try {
    return diffValues(contents, from, to, how)
  } catch (error) {
    if (error instanceof Failure) return { kind: 'not-text' }
    throw error
  }
}
